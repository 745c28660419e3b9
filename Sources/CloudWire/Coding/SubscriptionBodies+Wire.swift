import CloudCore

extension SubscriptionsLookupRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var names: [String] = []
        for element in try json.list("subscriptions") {
            let name = element.kind == .string ? element : try element.required("subscriptionID")
            names.append(try name.string())
        }
        self.init(subscriptionIDs: names)
    }

    package func write(to json: inout JSONWriter) {
        json.member("subscriptions", array: subscriptionIDs) { json, name in
            json.object { $0.member("subscriptionID", name) }
        }
    }
}

extension SubscriptionsModifyRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var operations: [SubscriptionOperation] = []
        for element in try json.list("operations") { operations.append(try SubscriptionOperation(element)) }
        self.init(operations: operations)
    }

    package func write(to json: inout JSONWriter) {
        json.member("operations", array: operations) { json, operation in
            json.object {
                switch operation {
                case .create(let subscription):
                    $0.member("operationType", "create")
                    $0.key("subscription")
                    $0.subscription(subscription)
                case .update(let subscription):
                    $0.member("operationType", "update")
                    $0.key("subscription")
                    $0.subscription(subscription)
                case .delete(let name), .refused(let name, _):
                    $0.member("operationType", "delete")
                    $0.member("subscription") { $0.member("subscriptionID", name) }
                }
            }
        }
    }
}

extension SubscriptionOperation {
    init(_ json: JSONReader) throws(WireError) {
        let type = try json.required("operationType")
        let given = try json.required("subscription")
        let name: String?
        switch given.kind {
        case .string: name = try given.string()
        default: name = try given.optionalString("subscriptionID")
        }
        let isCreate: Bool
        switch try type.text() {
        case "create": isCreate = true
        case "update": isCreate = false
        case "delete":
            guard let name else { throw given.missing("subscriptionID") }
            self = .delete(name)
            return
        case let other: throw type.failure("Unexpected input: unknown operationType '\(other.string)'")
        }
        do throws(WireError) {
            if !isCreate, name == nil { throw given.missing("subscriptionID") }
            let subscription = try Subscription(given)
            self = isCreate ? .create(subscription) : .update(subscription)
        } catch {
            self = .refused(subscriptionID: name ?? "", error.cloudError)
        }
    }
}

extension SubscriptionsResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var items: [SubscriptionItem] = []
        for element in try json.list("subscriptions") {
            if let failure = try WireFailure(element) {
                let name = try element.optionalString("subscriptionID") ?? ""
                items.append(.failure(subscriptionID: name, failure.error, uuid: failure.uuid))
            } else if try element.member("deleted")?.bool() ?? false {
                items.append(.deleted(try element.required("subscriptionID").string()))
            } else {
                items.append(.subscription(try Subscription(element)))
            }
        }
        self.init(subscriptions: items)
    }

    package func write(to json: inout JSONWriter) {
        json.member("subscriptions", array: subscriptions) { json, item in
            switch item {
            case .subscription(let subscription):
                json.subscription(subscription)
            case .deleted(let name):
                json.object {
                    $0.member("subscriptionID", name)
                    $0.member("deleted", true)
                }
            case .failure(let name, let error, let uuid):
                json.object {
                    $0.member("subscriptionID", name)
                    $0.failure(error, uuid: uuid)
                }
            }
        }
    }
}
