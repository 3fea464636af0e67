--- What stays together on pages of paper: for Typst alone.

if FORMAT ~= 'typst' then return {} end

local function text_length(cell)
  return utf8.len(pandoc.utils.stringify(cell.contents)) or 0
end

local narrow = 64 -- letters, about, up to which a table is as wide as its texts

--- How long the longest line of a cell is; a space of no width ends a line.
local function line_length(cell)
  local most = 0
  for line in
    (pandoc.utils.stringify(cell.contents) .. '\u{200b}'):gmatch '(.-)\u{200b}'
  do
    most = math.max(most, utf8.len(line) or #line)
  end
  return most
end

--- A table without widths gets them from its texts, so that it fills the page; one with
--- few words is as wide as these.
local function fill_page(element)
  local longest, total, most, sized = {}, 0, 0, false
  local rows = pandoc.List(element.head.rows):clone()
  for _, body in ipairs(element.bodies) do
    rows:extend(body.body)
  end
  for _, row in ipairs(rows) do
    for column, cell in ipairs(row.cells) do
      longest[column] = math.max(longest[column] or 6, math.min(line_length(cell), 60))
    end
  end
  for column, length in ipairs(longest) do
    total, most = total + length, most + length + 3
    sized = sized or element.colspecs[column][2] ~= nil
  end
  if sized and most > narrow then return end
  for column, spec in ipairs(element.colspecs) do
    element.colspecs[column] =
      { spec[1], most > narrow and longest[column] / total or nil }
  end
end

local long = 12 -- lines, from which on a table may go over pages
local full = 100 -- letters, about, in a line over the whole page
local begins, kept = 2, 3 -- rows that begin and end a table, which stay together
local tall = 24 -- lines: more of them do not stay together

--- How many lines a row takes, about: those of its longest cell.
local function height(row, colspecs)
  local most = 1
  for column, cell in ipairs(row.cells) do
    local width = full * (colspecs[column][2] or 1)
    most = math.max(most, math.ceil(text_length(cell) / width))
  end
  return most
end

local function lines(rows, colspecs)
  local sum = 0
  for _, row in ipairs(rows) do
    sum = sum + height(row, colspecs)
  end
  return sum
end

--- The last rows as the foot of their table: Typst parts no foot, so a page has either
--- several of them or none.
local function with_foot(element)
  local rows, foot = element.bodies[#element.bodies].body, pandoc.List {}
  while #foot < kept and #rows > kept do
    local sum = lines(foot, element.colspecs) + height(rows[#rows], element.colspecs)
    if sum > tall then break end
    foot:insert(1, rows:remove())
  end
  element.foot.rows = foot
  return element
end

local function short_table(element)
  return {
    pandoc.RawBlock('typst', '#short-table['),
    element,
    pandoc.RawBlock('typst', ']'),
  }
end

local function Table(element)
  fill_page(element)
  local rows, colspecs = pandoc.List {}, element.colspecs
  for _, body in ipairs(element.bodies) do
    rows:extend(body.body)
  end
  if lines(rows, colspecs) < long then return short_table(element) end
  local first = element.head.rows:clone()
  for row = 1, math.min(begins, #rows) do
    first:insert(rows[row])
  end
  local room = math.min(lines(first, colspecs), tall)
  return { pandoc.RawBlock('typst', '#long-table(' .. room .. ')'), with_foot(element) }
end

local followed =
  { BulletList = true, OrderedList = true, CodeBlock = true, Div = true, Table = true }

--- Whether a paragraph leads to a figure of the block that follows it, as Typst has it.
local function leads_to(block, after)
  local figures, found = {}, false
  local function label(raw)
    for id in raw.text:gmatch '<(fig%-[%w-]+)>' do
      figures['#' .. id] = true
    end
  end
  pandoc.Blocks({ after }):walk { RawInline = label, RawBlock = label }
  block:walk { Link = function(link) found = found or figures[link.target] or false end }
  return found
end

--- Whether a paragraph announces what follows it.
local function announces(block, after)
  if block.t ~= 'Para' or not after then return false end
  if followed[after.t] and pandoc.utils.stringify(block):match ':$' then return true end
  return leads_to(block, after)
end

--- A paragraph that announces what follows it stays with that.
local function Blocks(blocks)
  local result = pandoc.Blocks {}
  for index, block in ipairs(blocks) do
    if announces(block, blocks[index + 1]) then
      result:insert(pandoc.RawBlock('typst', '#announcing['))
      result:insert(block)
      result:insert(pandoc.RawBlock('typst', ']'))
    else
      result:insert(block)
    end
  end
  return result
end

local written = { Para = true, Plain = true }

--- A list says in its words on which pages it begins and ends.
local function List(list)
  local items = list.content
  local first, last = items[1][1], items[#items][#items[#items]]
  if not (first and last and written[first.t] and written[last.t]) then return nil end
  first.content:insert(1, pandoc.RawInline('typst', '#list-begins;'))
  last.content:insert(pandoc.RawInline('typst', '#list-ends;'))
  return list
end

--- The last references stay together: no page has a line of one.
local function Div(div)
  if div.identifier ~= 'refs' then return nil end
  local first = math.max(#div.content - kept, 1)
  div.content:insert(first, pandoc.RawBlock('typst', '#together['))
  div.content:insert(pandoc.RawBlock('typst', ']'))
  return div
end

return {
  { Blocks = Blocks },
  { Table = Table, Div = Div, BulletList = List, OrderedList = List },
}
