-- Requests for wrk: BENCH_CASE names the operation, BENCH_BASE the database, BENCH_USERS the credentials of each user on
-- a line of its own; they take turns.
local case, base = os.getenv("BENCH_CASE"), os.getenv("BENCH_BASE")
local users, turn = {}, 0
for line in os.getenv("BENCH_USERS"):gmatch("[^\n]+") do users[#users + 1] = line end
local zone = '"zoneID":{"zoneName":"Bench"}'
local text = string.rep("x", 440)
math.randomseed(os.time())
local prefix, count = string.format("%08x", math.random(0, 0x7fffffff)), 0

local function operation(name)
  return '{"operationType":"forceReplace","record":{"recordType":"Note","recordName":"' .. name ..
    '","fields":{"body":{"type":"BYTES","value":"' .. text .. '"},"title":{"value":"title ' .. name .. '","type":"STRING"}}}}'
end

local function post(operation, body)
  turn = turn % #users + 1
  return wrk.format("POST", base .. "/" .. operation .. "?" .. users[turn], nil, body)
end

local function modify(size)
  local operations = {}
  for index = 1, size do
    count = count + 1
    operations[index] = operation(prefix .. "-" .. count)
  end
  return post("records/modify", "{" .. zone .. ',"operations":[' .. table.concat(operations, ",") .. "]}")
end

local requests = {
  modify400 = function() return modify(400) end,
  modify1 = function() return modify(1) end,
  lookup = function()
    return post("records/lookup", "{" .. zone .. ',"records":[{"recordName":"known"}]}')
  end,
  changes = function()
    return post("changes/zone", '{"zones":[{' .. zone .. ',"resultsLimit":200}]}')
  end,
}
request = requests[case]
