/// Puts several ways of one item together: the first that takes a file makes the item.
@resultBuilder
public struct TransferRepresentationBuilder<Item: Transferable> {
    public static func buildExpression<Content: TransferRepresentation>(_ content: Content) -> Content
    where Content.Item == Item { content }

    public static func buildBlock<Content: TransferRepresentation>(_ content: Content) -> Content
    where Content.Item == Item { content }

    public static func buildBlock<C0: TransferRepresentation, C1: TransferRepresentation>(
        _ c0: C0, _ c1: C1
    ) -> TupleTransferRepresentation<Item, (C0, C1)> where C0.Item == Item, C1.Item == Item {
        TupleTransferRepresentation([c0, c1])
    }

    public static func buildBlock<
        C0: TransferRepresentation, C1: TransferRepresentation, C2: TransferRepresentation
    >(
        _ c0: C0, _ c1: C1, _ c2: C2
    ) -> TupleTransferRepresentation<Item, (C0, C1, C2)>
    where C0.Item == Item, C1.Item == Item, C2.Item == Item {
        TupleTransferRepresentation([c0, c1, c2])
    }

    public static func buildBlock<
        C0: TransferRepresentation, C1: TransferRepresentation, C2: TransferRepresentation, C3: TransferRepresentation
    >(
        _ c0: C0, _ c1: C1, _ c2: C2, _ c3: C3
    ) -> TupleTransferRepresentation<Item, (C0, C1, C2, C3)>
    where C0.Item == Item, C1.Item == Item, C2.Item == Item, C3.Item == Item {
        TupleTransferRepresentation([c0, c1, c2, c3])
    }
}

/// Several ways of one item.
public struct TupleTransferRepresentation<Item: Transferable, Value>: TransferRepresentation {
    private let ways: [any TransferRepresentation<Item>]

    init(_ ways: [any TransferRepresentation<Item>]) { self.ways = ways }

    public typealias Body = Never

    public func _importer(of file: _TransferFile) -> (@Sendable () async throws -> Item)? {
        for way in ways { if let importer = way._importer(of: file) { return importer } }
        return nil
    }
}
