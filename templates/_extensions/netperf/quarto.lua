--- What Quarto numbered and resolved, in the markup of the house.
-- It runs behind Quarto's own filters, so that those after it find what Pandoc's give.

local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
local house = dofile(pandoc.path.join { here, 'markup.lua' })
local words = { fig = 'Figure', tbl = 'Table' }

local labels = house.labels()

local numbers = {} -- of figures and tables, some of which have parts
local function count(node) numbers[node.identifier] = node.order and node.order.order end

--- ‘3’, or ‘3 (a)’ of a part of another.
local function number_of(node)
  local own, whole = numbers[node.identifier], numbers[node.parent_id]
  return whole and ('%s\u{a0}(%s)'):format(whole, ('abcdefghijkl'):sub(own, own)) or own
end

--- Quarto's node of a figure or table as the element that Pandoc reads.
local function float(node)
  local word, number = words[node.identifier:match '^(%a+)%-'], number_of(node)
  local label = word and number and (word .. '\u{a0}' .. number)
  label = labels[node.identifier] or label
  local caption = { long = quarto.utils.as_blocks(node.caption_long) }
  local content, found = quarto.utils.as_blocks(node.content), nil
  if node.type == 'Table' then
    content:walk { Table = function(element) found = element end }
    found.identifier, found.classes = node.identifier, {}
    found.caption = caption
    return house.table(found, label) or found
  end
  local figure = pandoc.Figure(content, caption, pandoc.Attr(node.identifier))
  if node.has_subfloats then
    figure.content = { pandoc.Div(content, pandoc.Attr('', {}, node.attributes)) }
    return house.panel(figure, label)
  end
  return house.figure(figure, label, node.parent_id and number) or figure
end

local function callout(node)
  local title = node.title and quarto.utils.as_inlines(node.title)
  if not title or #title == 0 then title = house.note_title(node.type) end
  return house.note(node.type, title, quarto.utils.as_blocks(node.content))
end

--- Tabs below each other, as on paper: nothing is hidden, and no script is needed.
local function tabset(node)
  local blocks = pandoc.Blocks {}
  for _, tab in ipairs(node.tabs) do
    local title = house.above(pandoc.Strong(quarto.utils.as_inlines(tab.title)))
    local content = quarto.utils.as_blocks(tab.content)
    content:insert(1, title)
    blocks:insert(pandoc.Div(content, pandoc.Attr('', { 'panel' })))
  end
  return blocks
end

--- Citations, which the filters behind this one take for text.
local function cite(doc)
  local files = doc.meta.bibliography
  if not files then return nil end
  if pandoc.utils.type(files) ~= 'List' then files = pandoc.List { files } end
  doc.meta.bibliography = files:map(function(file)
    local first = pandoc.utils.type(file) == 'Inlines' and file[1]
    return first and first.text or pandoc.utils.stringify(file) -- raw ones for Typst
  end)
  doc.meta.csl = pandoc.path.join { here, 'ieee.csl' }
  doc.meta['link-citations'] = true
  return pandoc.utils.citeproc(doc)
end

--- Typst would resolve what is left of a citation once more.
local function resolved(element) return FORMAT == 'typst' and element.content or nil end

local function reference(link)
  if link.classes:includes 'quarto-xref' then link.classes = { 'reference' } end
  return link
end

--- Quarto writes ‘1.’ before a chapter in formats without a page of the house.
local function header(element)
  local point = element.content[2]
  if
    element.level == 1
    and point
    and point.t == 'Str'
    and point.text:match '^%.%s?$'
  then
    element.content[2] = pandoc.Space()
  end
  return element
end

--- Tables without a caption are no nodes of Quarto's, nor are figures without a number.
local plain = {
  traverse = 'topdown',
  Div = function(div)
    if div.classes:includes 'table-scroll' then return div, false end
  end,
  Table = function(element) return house.table(element) end,
  Figure = function(figure)
    local numbered = figure.identifier:match '^fig%-'
    if not numbered then return house.figure(figure), false end
  end,
}

local function page(doc)
  doc.blocks = house.headings(doc.blocks):walk(plain)
  doc.blocks = doc.blocks:walk { Header = house.lower, Blocks = house.cards }
  return doc
end

return {
  { FloatRefTarget = count },
  {
    FloatRefTarget = float,
    Callout = callout,
    Tabset = tabset,
    Link = reference,
    Header = header,
  },
  { Pandoc = cite },
  { Cite = resolved },
  { Pandoc = page },
}
