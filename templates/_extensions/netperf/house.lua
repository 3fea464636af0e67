--- What both engines do not know: bound numbers, verdicts, chips, links to data.

local html = FORMAT:match 'html' ~= nil
local typst = FORMAT == 'typst'

local function raw(text) return pandoc.RawInline('typst', text) end

--- ‘#name(arguments)[content]’ in Typst, around inlines.
local function call(name, arguments, content)
  local result = pandoc.Inlines { raw('#' .. name .. '(' .. arguments .. ')[') }
  result:extend(content)
  result:insert(raw ']')
  return result
end

--- The same around blocks.
local function call_block(name, arguments, content)
  local result = pandoc.Blocks {
    pandoc.RawBlock('typst', '#' .. name .. '(' .. arguments .. ')['),
  }
  result:extend(content)
  result:insert(pandoc.RawBlock('typst', ']'))
  return result
end

--- Whether a file lies in the document's folder.
local function exists(path)
  local file = io.open(path)
  return file ~= nil and file:close()
end

-- The origin of all that is not modelled, if it is one, and what most changes and values
-- rest on: the summary says it, and no number has to.
local usual
local usual_bases = {}
local rests_on, edition -- its lock and raw files by digest; the edition's id
local function Meta(meta)
  local origins = pandoc.List(meta.origins or {}):map(pandoc.utils.stringify)
  origins = origins:filter(function(origin) return origin ~= 'modelled' end)
  usual = #origins == 1 and origins[1] or nil
  rests_on = meta.reproduce and pandoc.utils.stringify(meta.reproduce)
  edition = pandoc.utils.stringify(meta.edition or '')
  for kind, basis in pairs(meta['usual-bases'] or {}) do
    usual_bases[kind] = pandoc.utils.stringify(basis)
  end
end

local traced = html and exists 'facts.html'

--- Where the page shows what a number is made from; an average has its own entry.
local function trace(keys)
  if keys:find ' ' then return 'average-' .. pandoc.utils.sha1(keys) end
  return 'trace-' .. keys:gsub('%.', '-')
end

local function is_basis(span) return span.t == 'Span' and span.classes:includes 'basis' end

--- A word behind a number that says what it rests on.
local function mark(content)
  local result = pandoc.Inlines { pandoc.Space() }
  if typst then content = call('basis', '', content) end
  if html then content = { pandoc.Span(content, { class = 'basis' }) } end
  result:extend(content)
  return result
end

--- What a number is where that is not usual, unless its sentence says that it is
--- predicted or its cell has the sign of that.
local function origin_mark(span, origin)
  if origin == usual or span.attributes.told then return pandoc.Inlines {} end
  local words = origin == 'modelled' and 'predicted' or origin
  return mark { pandoc.Str('(' .. words .. ')') }
end

local function tell_predicted(block)
  local text = pandoc.utils.stringify(block)
  if not (text:lower():find 'predict' or text:find '◊') then return nil end
  return block:walk {
    Span = function(span)
      if span.attributes.origin ~= 'modelled' then return nil end
      span.attributes.told = 'yes'
      return span
    end,
  }
end

--- A number in prose, linked to where its page tells what it is made from.
local function value(span, keys)
  local origin = span.attributes.origin or 'measured'
  local result = pandoc.Inlines(span.content)
  if html then
    -- A list, since the order of a table's keys changes from run to run.
    local attributes = { { 'data-keys', keys }, { 'data-origin', origin } }
    local attr = pandoc.Attr('', { 'value' }, attributes)
    result = pandoc.Inlines {
      pandoc.Link(span.content, 'facts.html#' .. trace(keys), '', attr),
    }
  end
  result:extend(origin_mark(span, origin))
  return result
end

--- What is usual is not marked.
local function usual_basis(span)
  if is_basis(span) and usual_bases[span.attributes.of] == span.attributes.is then
    return pandoc.Inlines {}
  end
end

local function cells_of(element, column)
  local cells = pandoc.List {}
  for _, body in ipairs(element.bodies) do
    for _, row in ipairs(body.body) do
      if row.cells[column] then cells:insert(row.cells[column]) end
    end
  end
  return cells
end

--- The marks of a column that are all the same, once; nothing where a number has none.
local function shared_mark(element, column)
  local found, marks, numbers = nil, 0, 0
  for _, cell in ipairs(cells_of(element, column)) do
    pandoc.Div(cell.contents):walk {
      Span = function(span)
        if span.classes:includes 'value' or span.classes:includes 'average' then
          numbers = numbers + 1
        elseif is_basis(span) then
          marks = marks + 1
          local same = not found
            or pandoc.utils.stringify(found) == pandoc.utils.stringify(span)
          found = same and span or {}
        end
      end,
    }
  end
  return marks > 1 and marks == numbers and found.t == 'Span' and found or nil
end

--- A mark that all numbers of a column have stands in its head.
local function mark_columns(element)
  local head = element.head.rows[1]
  if not head then return nil end
  for column, named in ipairs(head.cells) do
    local shared = shared_mark(element, column)
    if shared then
      local last = named.contents[#named.contents]
      if last and last.content then last.content:extend { shared } end
      for _, cell in ipairs(cells_of(element, column)) do
        cell.contents = cell.contents:walk {
          Span = function(span) return is_basis(span) and {} or nil end,
        }
      end
    end
  end
  return element
end

local function tone(span, tones)
  for _, class in ipairs(span.classes) do
    if tones[class] then return class end
  end
end

local glyphs =
  { ['✓'] = true, ['!'] = true, ['≈'] = true, ['?'] = true, ['◊'] = true }

--- The sign of a verdict, with its word for who cannot see it.
local function sign(span, word)
  if not glyphs[pandoc.utils.stringify(span)] then return nil end
  span.attributes.role, span.attributes['aria-label'] = 'img', word
  return span
end

local verdicts = {
  improved = true,
  regressed = true,
  comparable = true,
  inconclusive = true,
  predicted = true,
}
local chips = { baseline = true, test = true }

function Span(span)
  local classes = span.classes
  if classes:includes 'value' then return value(span, span.attributes.key) end
  if classes:includes 'average' then return value(span, span.attributes.keys) end
  if is_basis(span) then return mark(span.content) end
  if span.attributes.claim then
    if not html then return span.content end
    local claim, study = span.attributes.claim, span.attributes.study
    local attributes = { { 'title', 'Checked: ' .. claim }, { 'data-claim', claim } }
    if study then table.insert(attributes, { 'data-study', study }) end
    return pandoc.Span(span.content, pandoc.Attr('', { 'claimed' }, attributes))
  end
  if html and classes:includes 'verdict' then
    return sign(span, tone(span, verdicts))
  end
  if not html and (classes:includes 'asked' or classes:includes 'leading') then
    return span.content
  end
  if not typst then
    local heavy = not html
      and (classes:includes 'large' or classes:includes 'figure-lead')
    return heavy and pandoc.Strong(span.content) or nil
  end
  if classes:includes 'verdict' then
    return call('verdict', '"' .. tone(span, verdicts) .. '"', span.content)
  elseif classes:includes 'chip' then
    return call('chip', '"' .. tone(span, chips) .. '"', span.content)
  elseif classes:includes 'figure-lead' then
    return call('lead', '', span.content)
  elseif classes:includes 'own-words' or classes:includes 'leads' then
    return call(classes[1], '', span.content)
  elseif classes:includes 'found' then
    return call('found', '', span.content)
  elseif
    classes:includes 'large'
    or classes:includes 'what'
    or classes:includes 'pair'
  then
    return call(classes[1], '', span.content)
  end
end

--- Only links to web pages, places of the report and files of its folder stay links.
local function Link(link)
  for _, start in ipairs { '^https?://', '^mailto:', '^#', '^data/', '^figures/' } do
    if link.target:match(start) then return nil end
  end
  return link.content
end

--- Where a file of the document lies beside the page.
local function beside(target)
  return (target:gsub('^figures/([^/]+)/figure%.svg$', 'figures/%1.svg'))
end

local guide = false -- whether the document says how to read its figures

--- Typst keeps no classes: a study within a group makes room for itself by a call.
local function Header(header)
  guide = guide or header.identifier == 'sec-reading'
  if not typst then return nil end
  local group = header.classes:includes 'group'
  if not group and not header.classes:includes 'study' then return nil end
  if not group and header.level == 1 then
    return { header, pandoc.RawBlock('typst', '#chapter-alone') }
  end
  local name = group and 'group-start' or 'study-start'
  return { pandoc.RawBlock('typst', '#' .. name .. '()'), header }
end

--- A line on how to read a figure, and a picture of its marks, unfolded by a click.
local function how_to_read(div)
  if not html then return pandoc.Blocks {} end
  local fold = '<details class="how-to-read"><summary>How to read</summary>'
  local key =
    '<svg data-drawing="%s" aria-label="Marks and what they mean"></svg></details>'
  local blocks = pandoc.Blocks { pandoc.RawBlock('html', fold) }
  for _, block in ipairs(div.content) do
    blocks:insert(block.t == 'Para' and pandoc.Plain(block.content) or block)
  end
  blocks:insert(pandoc.RawBlock('html', key:format(div.attributes.key)))
  return blocks
end

--- The commands that make a figure of this release again, unfolded by a click.
local function reproduce(figure)
  local text = table.concat({
    'RELEASE=.  # the folder of this page, as it was published',
    [[git checkout $(awk '$1 == "commit" {print $2}' $RELEASE/README.txt)]],
    'make report EDITION=' .. edition,
    'python -m analysis reproduce $RELEASE ' .. figure,
    '# ' .. rests_on,
  }, '\n')
  return {
    pandoc.RawBlock('html', '<details class="reproduce"><summary>Reproduce</summary>'),
    pandoc.CodeBlock(text),
    pandoc.RawBlock('html', '</details>'),
  }
end

local function figure_links(div)
  if not html then return pandoc.Blocks {} end
  local id = div.attributes.figure
  local study = div.attributes.study
  div.attributes.study = nil
  local made = div:walk {
    Link = function(link)
      local ending = link.target:match '^[%w_/.-]+%.(%a+)$'
      if not ending then return nil end
      link.attributes.download = id .. '.' .. ending
      link.target = beside(link.target)
      return link
    end,
  }
  local links = made.content[#made.content]
  if study and links then
    local address = 'explorer.html' .. (study ~= '' and '?study=' .. study or '')
    links.content:extend { pandoc.Str ' · ', pandoc.Link('Numbers', address) }
  end
  if guide and links and #made.content == 1 then
    links.content:extend { pandoc.Str ' · ', pandoc.Link('How to read', '#sec-reading') }
  end
  if rests_on then made.content:extend(reproduce(id)) end
  return made
end

--- Cells whose numbers stand below each other: a line ends at a space of no width.
local function in_lines(div)
  return div:walk {
    Inlines = function(inlines)
      local result = pandoc.Inlines {}
      for _, inline in ipairs(inlines) do
        local last = result[#result]
        if inline.t == 'Str' and inline.text == '\u{200b}' then
          if last and last.t == 'Space' then result:remove(#result) end
          result:insert(pandoc.LineBreak())
        elseif not (inline.t == 'Space' and last and last.t == 'LineBreak') then
          result:insert(inline)
        end
      end
      return result
    end,
  }
end

--- Cells without a value are marked: a narrow page leaves them out.
local function mark_empty(div)
  return div:walk {
    Table = function(element)
      for _, body in ipairs(element.bodies) do
        for _, row in ipairs(body.body) do
          for _, cell in ipairs(row.cells) do
            if pandoc.utils.stringify(cell.contents) == '–' then
              cell.classes:insert 'no-value'
            end
          end
        end
      end
      return element
    end,
  }
end

--- An entry of the references whose number hangs, where Typst draws it.
local function entry(div)
  local parts = pandoc.Inlines {}
  div:walk {
    Span = function(span)
      if
        span.classes[1] ~= 'csl-left-margin' and span.classes[1] ~= 'csl-right-inline'
      then
        return nil
      end
      parts:insert(pandoc.RawInline('typst', #parts == 0 and '#reference[' or ']['))
      parts:extend(span.content)
    end,
  }
  parts:insert(pandoc.RawInline('typst', ']'))
  div.content = { pandoc.Para(parts) }
  return div
end

--- The values of an answer beside each other.
local function key_values(div)
  if not typst then return nil end
  local parts = pandoc.Blocks { pandoc.RawBlock('typst', '#key-values(') }
  for _, shown in ipairs(div.content) do
    parts:insert(pandoc.RawBlock('typst', '['))
    parts:extend(shown.content)
    parts:insert(pandoc.RawBlock('typst', '],'))
  end
  parts:insert(pandoc.RawBlock('typst', ')'))
  return parts
end

--- A list of facts in two columns of about the same number of lines.
local function facts_list(div)
  if not typst then return nil end
  local items, halves = div.content[1].content, { {}, {} }
  local total, sum = 0, 0
  for _, item in ipairs(items) do
    total = total + #pandoc.utils.stringify(item) + 20
  end
  for _, item in ipairs(items) do
    table.insert(halves[sum * 2 < total and 1 or 2], item)
    sum = sum + #pandoc.utils.stringify(item) + 20
  end
  local parts = pandoc.Blocks { pandoc.RawBlock('typst', '#facts-list(') }
  for _, half in ipairs(halves) do
    parts:insert(pandoc.RawBlock('typst', '['))
    parts:insert(pandoc.BulletList(half))
    parts:insert(pandoc.RawBlock('typst', '],'))
  end
  parts:insert(pandoc.RawBlock('typst', ')'))
  return parts
end

--- What the workshop knows of a study, folded.
local function workshop(div)
  if not html then return pandoc.Blocks {} end
  local head = '<details class="workshop" id="%s"><summary>%s</summary>'
  head = head:format(div.identifier, div.attributes.label or 'Claims and review')
  local parts = pandoc.Blocks { pandoc.RawBlock('html', head) }
  parts:extend(div.content)
  parts:insert(pandoc.RawBlock('html', '</details>'))
  return parts
end

--- A figure with the sentences that lead to it.
local function shown(div)
  if not typst then return div.content end
  return call_block('shown', '"' .. div.attributes.figure .. '", layout', div.content)
end

--- Files that the PDF carries; a page has them beside it.
local function attach(div)
  if not typst then return pandoc.Blocks {} end
  local parts = pandoc.Blocks { div.content[1] }
  local call = '#pdf.attach("%s", read("%s", encoding: none), '
    .. 'relationship: "%s", mime-type: "%s", description: "%s")'
  div:walk {
    Span = function(span)
      local kind, about = span.attributes, pandoc.utils.stringify(span.content)
      local name, file = kind.file:match '[^/]+$', io.open(kind.file)
      if not file then return end -- a document that is looked at before it is whole
      file:close()
      local one = call:format(name, kind.file, kind.relation, kind.type, about)
      parts:insert(pandoc.RawBlock('typst', one))
    end,
  }
  return parts
end

local wrapped = {
  'chips',
  'question',
  'answer',
  'conditions',
  'at-a-glance',
  'table-wide',
  'table-notes',
  'summary',
  'matrix',
  'glossary',
}

function Div(div)
  if div.classes:includes 'html-only' then
    return html and div.content or pandoc.Blocks {}
  end
  if div.classes:includes 'cards' then
    if not traced then return pandoc.Blocks {} end
    return pandoc.RawBlock('html', '<div data-insert="cards.json"></div>')
  end
  if div.classes:includes 'how-to-read' then return how_to_read(div) end
  if div.classes:includes 'figure-links' then return figure_links(div) end
  if div.classes:includes 'edit-link' and not html then return pandoc.Blocks {} end
  if div.classes:includes 'key-values' then return key_values(div) end
  if div.classes:includes 'facts-list' then return facts_list(div) end
  if div.classes:includes 'workshop' then return workshop(div) end
  if div.classes:includes 'shown' then return shown(div) end
  if div.classes:includes 'summary' or div.classes:includes 'matrix' then
    div = in_lines(div)
    if html then return mark_empty(div) end
    if not typst then return div end
  end
  if div.classes:includes 'attached' then return attach(div) end
  if not typst then return nil end
  if div.classes:includes 'csl-entry' then return entry(div) end
  for _, name in ipairs(wrapped) do
    if div.classes:includes(name) then return call_block(name, '', div.content) end
  end
end

--- A name that stands for several rows is said in each of them, and shown once.
local function repeat_name(cell, above, column)
  local name = pandoc.utils.stringify(cell.contents)
  if name ~= '' or not above[column] then
    above[column] = name
    return
  end
  cell.contents = { pandoc.Plain { pandoc.Span(above[column], { class = 'unseen' }) } }
end

--- Cells that say their heads, for pages too narrow for more than two columns.
local function say_heads(cells, heads)
  for column = 2, #cells do
    cells[column].attributes['data-head'] =
      pandoc.utils.stringify(heads[column].contents)
  end
end

--- A table that a narrow page draws as blocks stays one for who hears it.
local function keep_roles(element)
  element.attributes.role = 'table'
  local function rows(part, names)
    part.attr.attributes.role = 'rowgroup'
    return function(row)
      row.attr.attributes.role = 'row'
      for column, cell in ipairs(row.cells) do
        cell.attributes.role = names(column)
      end
    end
  end
  local heads = rows(element.head, function() return 'columnheader' end)
  for _, row in ipairs(element.head.rows) do
    heads(row)
  end
  for _, body in ipairs(element.bodies) do
    local own = rows(
      body,
      function(column) return column <= body.row_head_columns and 'rowheader' or 'cell' end
    )
    for _, row in ipairs(body.body) do
      own(row)
    end
  end
end

--- Cells that name their row: the first, and the workload beside a metric.
local function name_rows(element)
  local heads = element.head.rows[1]
  if not heads or #heads.cells < 2 then return nil end
  local second = pandoc.utils.stringify(heads.cells[2].contents)
  for _, body in ipairs(element.bodies) do
    body.row_head_columns = second == 'Workload' and 2 or 1
    local above = {}
    for _, row in ipairs(body.body) do
      for column = 1, body.row_head_columns do
        repeat_name(row.cells[column], above, column)
      end
      if #heads.cells > 2 then say_heads(row.cells, heads.cells) end
    end
  end
  if #heads.cells > 2 then keep_roles(element) end
  return element
end

return {
  { Meta = Meta },
  { Para = tell_predicted, Plain = tell_predicted, Span = usual_basis },
  { Table = mark_columns },
  { Link = Link },
  { Header = Header, Table = html and name_rows or nil },
  { Span = Span, Div = Div },
}
