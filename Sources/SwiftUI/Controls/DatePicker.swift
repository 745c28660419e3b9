public import ViewGraph

/// The parts of a date that a picker sets.
public struct DatePickerComponents: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let hourAndMinute = DatePickerComponents(rawValue: 1)
    public static let date = DatePickerComponents(rawValue: 2)
}

/// A date that a person sets, in the calendar and zone of the environment.
public struct DatePicker<Label: View>: PrimitiveView {
    public typealias Components = DatePickerComponents

    private let selection: Binding<Date>
    private let range: ClosedRange<Date>?
    private let components: Components
    private let label: Label

    public static func _visit(_ view: Self, _ node: _Node) {
        node.visit(view) { view, node in
            node.show(view.label)
            let date = node.track { view.selection.wrappedValue }
            let values = node.values
            let form = DateForm(components: view.components, zone: values.timeZone)
            node.composes { node in
                let label = node.childrenOutput.elements
                var attributes: [Element.Attribute] = [
                    .init("class", "choice"), .init("type", form.inputType),
                    .init("aria-label", label.map(AccessibleText.of).joined(separator: " ")),
                ]
                if let range = view.range, range.lowerBound > .distantPast {
                    attributes.append(.init("min", form.text(range.lowerBound)))
                }
                if let range = view.range, range.upperBound < .distantFuture {
                    attributes.append(.init("max", form.text(range.upperBound)))
                }
                if !values.isEnabled { attributes.append(.init("disabled", "")) }
                node.waits()
                let input = Element(
                    ElementID(node.number, .content), "input", attributes, value: form.text(date),
                    handlers: [
                        (
                            .input,
                            { [weak node] event in
                                if let chosen = form.date(event.value, keeping: date) {
                                    let range = view.range ?? Date.distantPast...Date.distantFuture
                                    view.selection.wrappedValue = min(max(chosen, range.lowerBound), range.upperBound)
                                }
                                node?.invalidate()
                            }
                        )
                    ])
                return Output(
                    Element(
                        ElementID(node.number), "label", [.init("class", "labeled")],
                        children: [
                            Element(
                                ElementID(node.number, .title), "span", [.init("class", "labeled-title")],
                                children: label),
                            input,
                        ]))
            }
        }
    }
}

extension DatePicker where Label == Text {
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) {
        self.init(selection: selection, range: nil, components: displayedComponents, label: Text(titleKey))
    }

    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: ClosedRange<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) {
        self.init(selection: selection, range: range, components: displayedComponents, label: Text(titleKey))
    }

    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: PartialRangeThrough<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) {
        self.init(
            titleKey, selection: selection, in: .distantPast...range.upperBound,
            displayedComponents: displayedComponents)
    }

    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: PartialRangeFrom<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) {
        self.init(
            titleKey, selection: selection, in: range.lowerBound...Date.distantFuture,
            displayedComponents: displayedComponents)
    }
}

/// A date as the browser's fields write it.
struct DateForm {
    let components: DatePickerComponents
    let zone: TimeZone

    var inputType: String {
        components == .date ? "date" : components == .hourAndMinute ? "time" : "datetime-local"
    }

    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }

    func text(_ date: Date) -> String {
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        let day = String(format: "%04d-%02d-%02d", parts.year ?? 1, parts.month ?? 1, parts.day ?? 1)
        let time = String(format: "%02d:%02d", parts.hour ?? 0, parts.minute ?? 0)
        return components == .date ? day : components == .hourAndMinute ? time : "\(day)T\(time)"
    }

    /// The date with the parts that the text says and the others of `old`; `nil` for what is no such text.
    func date(_ text: String, keeping old: Date) -> Date? {
        var parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: old)
        let pieces = text.split(separator: "T", omittingEmptySubsequences: false)
        var rest = pieces[...]
        if components.contains(.date) {
            let numbers = rest.popFirst()?.split(separator: "-").compactMap { Int($0) } ?? []
            guard numbers.count == 3 else { return nil }
            (parts.year, parts.month, parts.day) = (numbers[0], numbers[1], numbers[2])
        }
        if components.contains(.hourAndMinute) {
            let numbers = rest.popFirst()?.split(separator: ":").compactMap { Int($0) } ?? []
            guard numbers.count >= 2 else { return nil }
            (parts.hour, parts.minute) = (numbers[0], numbers[1])
        }
        return rest.isEmpty ? calendar.date(from: parts) : nil
    }
}
