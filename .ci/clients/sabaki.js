// Sabaki's GTP controller plays a few moves with Boughs, watches an analysis, and breaks it off as Sabaki does.

const assert = require('assert')
const {Controller} = require('@sabaki/gtp')

const engine = new Controller(process.argv[2], ['gtp', 'go', '--iterations', '200'])
const send = (name, ...args) => engine.sendCommand({name, args})

async function main() {
  engine.start()
  for (const name of ['name', 'version', 'protocol_version']) {
    const response = await send(name)
    assert(!response.error && response.content !== '', name)
  }
  const commands = (await send('list_commands')).content.split('\n')
  const wanted = ['boardsize', 'komi', 'clear_board', 'play', 'undo', 'set_free_handicap', 'loadsgf', 'genmove',
    'analyze', 'lz-analyze', 'kata-analyze', 'genmove_analyze']
  for (const name of wanted) assert(commands.includes(name), name)
  for (const [name, arg] of [['boardsize', '9'], ['komi', '6.5'], ['clear_board', '']]) {
    assert(!(await send(name, arg)).error, name)
  }
  assert(!(await send('play', 'B', 'E5')).error)

  for (const name of ['analyze', 'lz-analyze', 'kata-analyze']) {
    let lines = 0
    const analysis = engine.sendCommand({name, args: ['W', '10']}, ({line}) => {
      if (line.includes('info move ')) lines += 1
      // Sabaki breaks an analysis off by the next command.
      if (lines === 3) send('protocol_version')
    })
    const response = await analysis
    assert(!response.error && lines >= 3, `${name}: ${lines} lines`)
    const first = response.content.split('\n')[0].slice(0, 200)
    assert(/^info move [A-J][1-9] visits \d+ .*winrate [0-9.]+ .*pv [A-J][1-9]/.test(first), first)
  }

  let found = null
  const response = await engine.sendCommand({name: 'genmove_analyze', args: ['W', '10']}, ({line}) => {
    if (line.startsWith('play ')) found = line.slice(5).trim()
  })
  assert(!response.error && /^([A-J][1-9]|pass|resign)$/.test(found), found)
  assert(!(await send('undo')).error)
  assert((await send('play', 'W', found)).error === false)
  await engine.stop()
  console.log(`three analyses were watched and broken off, and White played ${found}`)
}

main().catch(fault => {
  console.error(fault)
  process.exit(1)
})
