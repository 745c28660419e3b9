import Testing
import ViewGraph

@Suite struct EnvironmentStoreTests {
    @Test func `a value is that of its last change, however many there are of others`() {
        var store = EnvironmentStore()
        for number in 0..<100 {
            for key in 0...number { #expect(store[key] as? Int == (key < number ? key * 2 : nil)) }
            store[number] = number
            store[number] = number * 2
        }
    }

    @Test func `a copy that is changed leaves the other as it was`() {
        var store = EnvironmentStore()
        for number in 0..<20 {
            store[number] = "first"
            let copy = store
            var changed = copy
            #expect(changed.identity == copy.identity)
            changed[number] = "second"
            #expect(copy[number] as? String == "first" && changed[number] as? String == "second")
            #expect(changed.identity != copy.identity)
        }
    }

    @Test func `a value that is taken back is there no more`() {
        var store = EnvironmentStore()
        store["a"] = 1
        store["a"] = nil
        #expect(store["a"] == nil)
        for number in 0..<20 { store[number] = number }
        #expect(store["a"] == nil && store[0] as? Int == 0)
    }
}
