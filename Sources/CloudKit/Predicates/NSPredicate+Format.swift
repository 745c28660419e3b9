public import Foundation

extension NSPredicate {
    /// A predicate in words. What is wrong with it comes out when a query uses it.
    public convenience init(format predicateFormat: String, _ args: Any?...) {
        self.init(parsed: PredicateParser.parse(predicateFormat, arguments: args))
    }

    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self.init(parsed: PredicateParser.parse(predicateFormat, arguments: arguments ?? []))
    }

    /// A predicate whose closure hands `parsed` to a ``PredicateProbe``; it can be asked nothing else.
    convenience init(parsed: ParsedPredicate) {
        self.init { object, _ in
            guard let probe = object as? PredicateProbe else {
                preconditionFailure("a format predicate is for queries and cannot be evaluated on an object")
            }
            probe.answer = parsed
            return true
        }
    }
}

/// What a query asks a predicate for its tree with.
final class PredicateProbe {
    var answer: ParsedPredicate?
}

extension ParsedPredicate {
    /// The tree of any predicate an app can make; a block of its own is a failure.
    init(_ predicate: NSPredicate) {
        if let compound = predicate as? NSCompoundPredicate {
            self.init(compound)
            return
        }
        for value in [true, false] where predicate.isEqual(NSPredicate(value: value)) {
            self = .tree(.value(value))
            return
        }
        let probe = PredicateProbe()
        _ = predicate.evaluate(with: probe)
        self = probe.answer ?? .failure(PredicateFailure(reason: "block predicates are not supported in a query"))
    }

    private init(_ compound: NSCompoundPredicate) {
        var parts: [PredicateNode] = []
        for predicate in compound.subpredicates {
            switch ParsedPredicate(predicate) {
            case .tree(let tree): parts.append(tree)
            case .failure(let failure):
                self = .failure(failure)
                return
            }
        }
        switch compound.compoundPredicateType {
        case .and: self = .tree(.and(parts))
        case .or: self = .tree(.or(parts))
        case .not: self = parts.first.map { .tree(.not($0)) } ?? .failure(PredicateFailure(reason: "NOT of nothing"))
        @unknown default: self = .failure(PredicateFailure(reason: "an unknown kind of compound predicate"))
        }
    }
}
