/// What the writer remembers of the schema between transactions. Used by one thread only.
package final class SchemaCache {
    init() {}
}
