--- What Quarto's page lacks when it is rendered: drawings and the data of its cards.
-- They are most of a large page; Quarto would read and write all of them twice.

local function read(path)
  local file = assert(io.open(path, 'rb'), 'cannot read ' .. path)
  local bytes = file:read 'a'
  file:close()
  return bytes
end

local folder = '.' -- of the page

local function drawing(source, label)
  return (
    read(pandoc.path.join { folder, source } .. '.html'):gsub(
      'aria%-label=""',
      function() return 'aria-label="' .. label .. '"' end
    )
  )
end

local function cards()
  return '<script type="application/json" id="cards">'
    .. read(pandoc.path.join { folder, 'cards.json' })
    .. '</script>'
end

local function complete(page)
  page = page:gsub('<svg data%-drawing="([^"]*)" aria%-label="([^"]*)"></svg>', drawing)
  page = page:gsub('<div data%-insert="cards.json"></div>', cards)
  -- Quarto numbers headings itself, and gives links a target that have none.
  page = page:gsub('(<a [^>]*id="toc%-[^>]*><span class=")header', '%1toc')
  local answers = page:match 'id="search"' and io.open(folder .. '/answers.html', 'rb')
  if answers then
    local data = answers:read 'a'
    answers:close()
    page = page:gsub('</body>', function() return data .. '</body>' end)
  end
  return (page:gsub('<a class="home" href="">', '<a class="home">'))
end

for path in os.getenv('QUARTO_PROJECT_OUTPUT_FILES'):gmatch '[^\n]+' do
  if path:match '%.html$' then
    folder = pandoc.path.directory(path)
    local page = complete(read(path))
    local file = assert(io.open(path, 'wb'))
    file:write(page)
    file:close()
  end
end
