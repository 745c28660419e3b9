import CloudCore

extension Location {
    init(_ json: JSONReader) throws(WireError) {
        var (latitude, longitude): (Double?, Double?)
        var location = Location(latitude: 0, longitude: 0)
        for (key, value) in try json.members where !value.isNull {
            switch key {
            case "latitude": latitude = try value.doubleOrText()
            case "longitude": longitude = try value.doubleOrText()
            case "horizontalAccuracy": location.horizontalAccuracy = try value.doubleOrText()
            case "verticalAccuracy": location.verticalAccuracy = try value.doubleOrText()
            case "altitude": location.altitude = try value.doubleOrText()
            case "speed": location.speed = try value.doubleOrText()
            case "course": location.course = try value.doubleOrText()
            case "timestamp": location.timestamp = try value.milliseconds()
            default: break
            }
        }
        guard let latitude else { throw json.missing("latitude") }
        guard let longitude else { throw json.missing("longitude") }
        location.latitude = latitude
        location.longitude = longitude
        self = location
    }
}

extension JSONWriter {
    mutating func location(_ location: Location, quoting: Bool = false) {
        let details: [(StaticString, Double?)] = [
            ("latitude", location.latitude), ("longitude", location.longitude),
            ("horizontalAccuracy", location.horizontalAccuracy), ("verticalAccuracy", location.verticalAccuracy),
            ("altitude", location.altitude), ("speed", location.speed), ("course", location.course),
        ]
        object {
            for case (let name, .some(let number)) in details {
                $0.key(name)
                $0.double(number, quoted: quoting)
            }
            if let timestamp = location.timestamp {
                $0.key("timestamp")
                $0.integer(timestamp, quoted: quoting)
            }
        }
    }
}
