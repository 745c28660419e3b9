-- Requests for wrk: BENCH_CASE names the operation, BENCH_BASE and BENCH_AUTH say where and who.
local case, base, auth = os.getenv("BENCH_CASE"), os.getenv("BENCH_BASE"), os.getenv("BENCH_AUTH")
local zone = '"zoneID":{"zoneName":"Bench"}'
local text = string.rep("x", 440)
math.randomseed(os.time())
local prefix, count = string.format("%08x", math.random(0, 0x7fffffff)), 0

local function operation(name)
  return '{"operationType":"forceReplace","record":{"recordType":"Note","recordName":"' .. name ..
    '","fields":{"body":{"type":"BYTES","value":"' .. text .. '"},"title":{"value":"title ' .. name .. '","type":"STRING"}}}}'
end

local function modify(size)
  local operations = {}
  for index = 1, size do
    count = count + 1
    operations[index] = operation(prefix .. "-" .. count)
  end
  return wrk.format("POST", base .. "/records/modify?" .. auth, nil,
    "{" .. zone .. ',"operations":[' .. table.concat(operations, ",") .. "]}")
end

local requests = {
  modify400 = function() return modify(400) end,
  modify1 = function() return modify(1) end,
  lookup = function()
    return wrk.format("POST", base .. "/records/lookup?" .. auth, nil, "{" .. zone .. ',"records":[{"recordName":"known"}]}')
  end,
  changes = function()
    return wrk.format("POST", base .. "/changes/zone?" .. auth, nil, '{"zones":[{' .. zone .. ',"resultsLimit":200}]}')
  end,
}
request = requests[case]
