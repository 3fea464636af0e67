--- Slides from the headings of a document: elements of the page, or those of PowerPoint.

local html = FORMAT:match 'html' ~= nil

local function escaped(text)
  local marks = { ['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;', ['"'] = '&quot;' }
  return (text:gsub('[&<>"]', marks))
end

--- A picture that the engine puts in, or one of pixels, as office programs draw no SVG.
local function picture(image)
  local alt = image.attributes['fig-alt'] or pandoc.utils.stringify(image.caption)
  if html then
    local mark = '<svg data-drawing="%s" aria-label="%s"></svg>'
    return pandoc.RawInline('html', mark:format(escaped(image.src), escaped(alt)))
  end
  image.src = image.src:gsub('%.svg$', '.png')
  image.caption, image.title, image.attributes = {}, alt, {}
  return image
end

local function column(blocks, width)
  return pandoc.Div(blocks, pandoc.Attr('', { 'column' }, { width = width }))
end

--- Words before a table: PowerPoint has a layout for these two, in that order.
local function table_last(blocks)
  local words, tables = pandoc.Blocks {}, pandoc.Blocks {}
  for _, block in ipairs(blocks) do
    (block.t == 'Table' and tables or words):insert(block)
  end
  words:extend(tables)
  return words
end

--- A block of code as a table of one cell: PowerPoint has places for tables alone.
local function cell(blocks)
  return pandoc.utils.from_simple_table(
    pandoc.SimpleTable({}, { pandoc.AlignLeft }, { 0 }, {}, { { blocks } })
  )
end

--- The columns of a table as wide as their words: PowerPoint would make all alike.
local function fitted(table)
  if html then return nil end
  local widths, total = pandoc.List {}, 0
  local rows = pandoc.List {}
  rows:extend(table.head.rows)
  for _, body in ipairs(table.bodies) do
    rows:extend(body.body)
  end
  for _, row in ipairs(rows) do
    for n, each in ipairs(row.cells) do
      local words = pandoc.utils.stringify(each.contents)
      widths[n] = math.max(widths[n] or 8, utf8.len(words) or #words)
    end
  end
  for _, width in ipairs(widths) do
    total = total + width
  end
  table.colspecs = pandoc
    .List(table.colspecs)
    :map(function(spec, n) return { spec[1], widths[n] / total } end)
  return table
end

--- Two pictures, or two blocks of code, with the words that PowerPoint has below them.
local function pair(shown, words)
  local left = pandoc.Blocks(words or { pandoc.Para '\u{a0}' })
  left:extend(shown[1])
  local sides = pandoc.Blocks { column(left, '50%'), column(shown[2], '50%') }
  return pandoc.Blocks { pandoc.Div(sides, { class = 'columns' }) }
end

--- What stands on a slide of PowerPoint: one or two pictures beside words or above
--- them, or words. The layout with a place below a picture takes the words first.
local function columns(header, blocks)
  local shown, points, rest = pandoc.List {}, nil, pandoc.Blocks {}
  for _, block in ipairs(blocks) do
    local name = block.t == 'Div' and block.classes[1]
    if name == 'picture' then
      shown:insert(block.content)
    elseif name == 'display' then
      shown:insert(pandoc.Blocks { cell(block.content) })
    elseif name == 'points' then
      points = block.content
    else
      rest:insert(block)
    end
  end
  local result = table_last(shown[1] or points or {})
  if #shown == 2 then
    result = pair(shown, points)
  elseif shown[1] and points and header.classes:includes 'above' then
    result = pandoc.Blocks(points)
    result:extend(shown[1])
  elseif shown[1] and points then
    local sides = pandoc.Blocks { column(shown[1], '64%'), column(points, '36%') }
    result = pandoc.Blocks { pandoc.Div(sides, { class = 'columns' }) }
  end
  result:extend(rest)
  return result
end

--- The words of a divider below its title: what follows it would be another slide.
local function divider(blocks)
  local header, rest = blocks:remove(1), pandoc.Blocks {}
  for _, block in ipairs(blocks) do
    if block.t == 'Div' and block.classes[1] == 'points' then
      local run = '<a:r><a:rPr sz="1600" b="0"/><a:t>%s</a:t></a:r>'
      header.content:insert(pandoc.LineBreak())
      header.content:insert(
        pandoc.RawInline('openxml', run:format(escaped(pandoc.utils.stringify(block))))
      )
    else
      rest:insert(block)
    end
  end
  rest:insert(1, header)
  return rest
end

--- What is said: an element that the page hides, or the notes of PowerPoint. A picture
--- is no paragraph.
local function box(div)
  if div.classes:includes 'picture' then
    div.content = { pandoc.Plain(div.content[1].content) }
    return div
  end
  if not (html and div.classes:includes 'notes') then return nil end
  local parts = pandoc.Blocks { pandoc.RawBlock('html', '<aside class="notes">') }
  parts:extend(div.content)
  parts:insert(pandoc.RawBlock('html', '</aside>'))
  return parts
end

--- Code for PowerPoint: a line is a line there, and small enough for its slide.
local function code(block)
  if html then return nil end
  local run =
    '<a:r><a:rPr sz="1200"><a:latin typeface="Courier New"/></a:rPr><a:t>%s</a:t></a:r>'
  local lines = pandoc.Inlines {}
  for line in (block.text .. '\n'):gmatch '(.-)\n' do
    if #lines > 0 then lines:insert(pandoc.LineBreak()) end
    lines:insert(pandoc.RawInline('openxml', run:format(escaped(line))))
  end
  return pandoc.Para(lines)
end

--- What the sizes of a slide rest on, small behind its title.
local function sizes(span)
  if html or not span.classes:includes 'sizes' then return nil end
  local run = '<a:r><a:rPr sz="1200" b="0"/><a:t>%s</a:t></a:r>'
  return pandoc.RawInline('openxml', run:format(escaped(pandoc.utils.stringify(span))))
end

local function section(header)
  local open = '<section id="%s" class="%s">'
  return pandoc.RawBlock(
    'html',
    open:format(escaped(header.identifier), table.concat(header.classes, ' '))
  )
end

--- Each heading begins a slide, whatever its level.
local function slides(blocks)
  local result, own = pandoc.Blocks {}, nil
  local function close()
    if not own then return end
    if html then
      result:extend(own)
      result:insert(pandoc.RawBlock('html', '</section>'))
    elseif own[1].level == 1 then
      result:extend(divider(own))
    else
      local header = own:remove(1)
      result:insert(header)
      result:extend(columns(header, own))
    end
  end
  for _, block in ipairs(blocks) do
    if block.t == 'Header' then
      close()
      own = pandoc.Blocks {}
      if html then
        own:insert(section(block))
        block.identifier, block.classes, block.level = '', {}, 2
      end
    end
    own:insert(block)
  end
  close()
  return result
end

--- The cover of a file for PowerPoint says what that of the page does.
local function cover(meta)
  if html then return meta end
  local told = pandoc.List(meta.author or {}):map(pandoc.utils.stringify)
  told:insert(pandoc.utils.stringify(meta['date-text'] or ''))
  local lines =
    pandoc.List { pandoc.MetaInlines(pandoc.Inlines(table.concat(told, ' · '))) }
  if meta.banner then lines:insert(meta.banner) end
  if meta.sizes then
    local words = 'Sizes of ' .. pandoc.utils.stringify(meta.sizes)
    lines:insert(pandoc.MetaInlines(pandoc.Inlines(words)))
  end
  if meta['own-words'] then
    lines:insert(
      pandoc.MetaInlines('Only the web page marks the author’s own words.')
    )
  end
  meta.author, meta.date = lines, nil
  return meta
end

function Pandoc(doc)
  doc.meta = cover(doc.meta)
  doc.blocks = slides(doc.blocks:walk {
    Image = picture,
    Div = box,
    CodeBlock = code,
    Table = fitted,
    Span = sizes,
  })
  return doc
end
