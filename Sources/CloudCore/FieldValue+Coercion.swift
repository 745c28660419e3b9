extension FieldValue {
    /// The value as a value of `type` without loss, or `nil` when that is impossible.
    package func coerced(to type: FieldType) -> FieldValue? {
        if self.type == type { return self }
        switch (self, type) {
        case (.list(_, let elements), .list(let element)):
            var converted: [FieldValue] = []
            converted.reserveCapacity(elements.count)
            for value in elements {
                guard let value = value.coerced(to: .scalar(element)) else { return nil }
                converted.append(value)
            }
            return .list(element, converted)
        case (.list(_, let elements), .unknownList):
            return elements.isEmpty ? .list(nil, []) : nil
        case (_, .scalar(let scalar)):
            return coerced(to: scalar)
        default:
            return nil
        }
    }

    private func coerced(to type: ScalarType) -> FieldValue? {
        switch (self, type) {
        case (.int64(let number), .double):
            Double(exactly: number).map(FieldValue.double)
        case (.int64(let number), .timestamp):
            .timestamp(number)
        case (.double(let number), .int64):
            Int64(exactly: number).map(FieldValue.int64)
        case (.double(let number), .timestamp):
            Int64(rounding: number).map(FieldValue.timestamp)
        case (.string(let text), .int64):
            Int64(text).map(FieldValue.int64)
        case (.string(let text), .double):
            Double(text).flatMap { $0.isFinite ? .double($0) : nil }
        case (.string(let text), .timestamp):
            (Int64(text) ?? Double(text).flatMap { Int64(rounding: $0) }).map(FieldValue.timestamp)
        case (.string(let text), .bytes):
            Base64Text.decode(text).map(FieldValue.bytes)
        default:
            nil
        }
    }
}

extension Int64 {
    /// The nearest integer, halves away from zero; `nil` when it does not fit.
    package init?(rounding number: Double) { self.init(exactly: number.rounded()) }
}
