import CSimdJSON

extension JSONReader {
    /// An error that names this value's place.
    package func failure(_ what: String) -> WireError {
        let path = path
        return WireError(path.isEmpty ? what : "\(path): \(what)")
    }

    /// This value has a wrong shape.
    package func unexpected(_ wanted: String) -> WireError {
        failure("Unexpected input: expected \(wanted), got \(kindName)")
    }

    /// A member of this object is missing.
    package func missing(_ name: StaticString) -> WireError {
        let path = path
        return WireError("Unexpected input: missing required key '\(path.isEmpty ? "" : path + ".")\(name)'")
    }

    private var kindName: String {
        switch kind {
        case .null: "null"
        case .bool: "a boolean"
        case .integer: "an integer"
        case .double: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The way from the root, for example `operations[3].record.fields.title`; found by walking, so only errors pay.
    var path: String {
        var path = ""
        var at = JSONReader(root: root, index: 0)
        descend: while at.index < index {
            switch at.kind {
            case .object:
                guard let members = try? at.members else { break descend }
                for (key, value) in members where index < value.end {
                    guard index >= value.index else { break descend }
                    path += (path.isEmpty ? "" : ".") + key.string
                    at = value
                    continue descend
                }
                break descend
            case .array:
                guard let elements = try? at.elements else { break descend }
                var number = 0
                for element in elements {
                    if index < element.end {
                        path += "[\(number)]"
                        at = element
                        continue descend
                    }
                    number += 1
                }
                break descend
            default:
                break descend
            }
        }
        return path
    }
}
