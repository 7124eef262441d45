import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { READ_LIMITS, unpack } from '../../../src/ingest/archives.ts'
import { readDocuments, readDocumentsIn } from '../../../src/ingest/read-documents.ts'
import { sourceFileFromBytes } from '../../../src/ingest/source-file.ts'
import { gmeXml } from '../../support/gme-documents.ts'
import { readAll } from '../../support/parsed-documents.ts'
import { scratchFolderOfFile } from '../../support/scratch-folder.ts'
import { zipArchive } from '../../support/zip-archive.ts'

const MIB = 1024 * 1024
const DAY = gmeXml({ day: '2026-01-14' })
const NEXT_DAY = gmeXml({ day: '2026-01-15' })
const CSV = 'flow_date,ora,nord\n2026-01-14,1,50.5\n'
const folder = await scratchFolderOfFile()

const zipOf = (...contents: (string | Buffer)[]) =>
  zipArchive(contents.map((content, i) => ({ name: `${i + 1}`, content })))

describe('a document is recognised by its content', () => {
  it.each<[string, string | Buffer, string]>([
    ['XML', DAY, 'gme-mgp-xml'],
    ['XML behind a byte-order mark', `\uFEFF${DAY}`, 'gme-mgp-xml'],
    ['CSV of intervals', CSV, 'price-csv-intervals'],
    ['CSV of days', 'date,ttf\n2026-01-14,30\n', 'price-csv-days'],
    ['gzip of CSV', gzipSync(CSV), 'price-csv-intervals'],
    ['gzip of XML', gzipSync(DAY), 'gme-mgp-xml'],
    ['ZIP of XML', zipOf(DAY), 'gme-mgp-xml'],
    ['ZIP of a stored CSV', zipArchive([{ name: 'a', content: CSV, stored: true }]), 'price-csv-intervals'],
  ])('%s, whatever its name', async (_, content, kind) => {
    const { documents, faults } = await readAll(content, { name: 'misleading.pdf' })
    expect(documents.map((document) => document.kind)).toEqual([kind])
    expect(faults).toEqual([])
  })

  it.each<[string, string | Buffer, RegExp]>([
    ['nothing', '', /empty/],
    ['white space', ' \n\n', /empty/],
    ['JSON of nobody', '[{"price": 101.2}]', /JSON of no known publisher/],
    ['an empty list', '[]', /is an empty list/],
    ['prices of an unnamed zone', '[{"df": 20260114, "h": 1, "p": 101.2}]', /which zone .* --asset pun/],
    ['text', 'Dear all,\nplease find attached', /no column of days/],
    ['one endless line', 'x'.repeat(100_000), /first line does not end/],
    ['Latin-1', Buffer.from('flow_date,ora,nord\n2026-01-14,1,\xe8\n', 'latin1'), /not UTF-8/],
    ['UTF-16', Buffer.from(`\uFEFF${CSV}`, 'utf16le'), /is UTF-16 text, .* save it as UTF-8/],
    ['UTF-16, big end first', Buffer.from(`\uFEFF${CSV}`, 'utf16le').swap16(), /is UTF-16 text, .* save it as UTF-8/],
    ['UTF-16 without a mark', Buffer.from(CSV, 'utf16le'), /is UTF-16 text or no text at all/],
    ['zeros', Buffer.alloc(5000), /no text at all/],
    ['a gzip in a gzip', gzipSync(gzipSync(CSV)), /archive inside an archive/],
    ['a ZIP in a ZIP', zipOf(zipOf(CSV)), /archive inside an archive/],
    [
      'a workbook',
      zipArchive([
        { name: 'xl/workbook.xml', content: '<a/>' },
        { name: '[Content_Types].xml', content: '<a/>' },
      ]),
      /workbook/,
    ],
    ['a ZIP of a name with NUL', zipArchive([{ name: 'a\0b.csv', content: CSV }]), /NUL byte in its name/],
    ['a ZIP without a file', zipArchive([{ name: 'empty/', content: '' }]), /holds no file/],
    ['a truncated ZIP', zipOf(DAY).subarray(0, 500), /not a sound ZIP file/],
  ])('%s is refused with a reason', async (_, content, reason) => {
    const { documents, items, faults } = await readAll(content)
    expect(documents.map(({ kind }) => kind)).toEqual(['unreadable'])
    expect(items).toHaveLength(1)
    expect(faults).toMatchObject([{ code: 'unreadable_document', detail: expect.stringMatching(reason) }])
  })
})

describe('a ZIP', () => {
  it('yields separate documents, each with its name and the hash of the archive', async () => {
    const archive = zipArchive([
      { name: '20260114MGPPrezzi.xml', content: DAY },
      { name: 'more/', content: '' },
      { name: 'more/nord.csv', content: CSV },
    ])
    const { documents } = await readAll(archive, { name: 'prices.zip' })
    expect(documents.map(({ name, items }) => [name, items.length])).toEqual([
      ['prices.zip!20260114MGPPrezzi.xml', 8],
      ['prices.zip!more/nord.csv', 1],
    ])
    const sha256 = createHash('sha256').update(archive).digest('hex')
    expect(documents.every((document) => document.sha256 === sha256 && document.bytes === archive.length)).toBe(true)
  })

  it('with one unreadable entry keeps the others', async () => {
    const { documents, faults } = await readAll(
      zipArchive([
        { name: 'a.xml', content: DAY.slice(0, 3_000) },
        { name: 'b.xml', content: NEXT_DAY, encrypted: true },
        { name: 'c.pdf', content: Buffer.from([0x25, 0x50, 0x44, 0x46, 0xff]) },
        { name: 'd.xml', content: NEXT_DAY },
      ]),
    )
    expect(documents.map(({ items }) => items.length)).toEqual([1, 1, 1, 8])
    expect(faults.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/cut off/),
      'the entry is encrypted',
      'is not UTF-8 text',
    ])
  })

  it('is refused if its checksum is wrong', async () => {
    const { faults } = await readAll(zipArchive([{ name: 'a.csv', content: CSV, claimedChecksum: 1 }]))
    expect(faults).toMatchObject([{ detail: expect.stringMatching(/checksum/) }])
  })

  it('skips documents that the caller does not read', async () => {
    const documents = await Array.fromAsync(readDocumentsIn(await sourceFileFromBytes('a.zip', zipOf(DAY, NEXT_DAY))))
    expect(documents.map(({ name }) => name)).toEqual(['a.zip!1', 'a.zip!2'])
  })
})

describe('a decompression bomb is stopped at the limit', () => {
  const rows = Buffer.concat([Buffer.from('flow_date,ora,nord\n'), Buffer.alloc(8 * MIB, '2026-01-14,1,50.5\n')])

  it.each<[string, Buffer, RegExp]>([
    ['gzip of one row for ever', gzipSync(rows), /200 times its compressed size/],
    ['gzip of zeros', gzipSync(Buffer.alloc(32 * MIB)), /no text at all/],
    ['ZIP of one row for ever', zipOf(rows), /200 times/],
    ['ZIP whose header claims little', zipArchive([{ name: 'a.csv', content: rows, claimedBytes: 100 }]), /200 times/],
  ])('%s', async (_, bomb, reason) => {
    const { faults } = await readAll(bomb)
    expect(faults).toMatchObject([{ code: 'unreadable_document', detail: expect.stringMatching(reason) }])
  })

  it('before more than the permitted ratio is inflated', async () => {
    const bomb = gzipSync(rows)
    const file = await sourceFileFromBytes('bomb.gz', bomb)
    let inflated = 0
    const reading = async () => {
      for await (const { chunks } of unpack(file, { limits: READ_LIMITS, onBytesRead: () => {} })) {
        for await (const chunk of chunks) inflated += chunk.length
      }
    }
    await expect(reading()).rejects.toThrow(/200 times/)
    expect(inflated).toBeLessThanOrEqual(200 * bomb.length)
    expect(inflated).toBeLessThan(rows.length)
  })

  it.each<[string, Buffer, Partial<typeof READ_LIMITS>, RegExp]>([
    ['a document', gzipSync(DAY), { documentBytes: 1_000 }, /a document may have 1000 bytes/],
    ['a plain document', Buffer.from(DAY), { documentBytes: 1_000 }, /a document may have 1000 bytes/],
    ['a compressed file', gzipSync(DAY), { compressedFileBytes: 100 }, /a compressed file may have 100 bytes/],
    ['the number of entries', zipOf(CSV, CSV, CSV), { entries: 2 }, /has 3 entries, at most 2/],
  ])('with a separate limit for %s', async (_, content, limits, reason) => {
    const { items, faults } = await readAll(content, { limits: { ...READ_LIMITS, ...limits } })
    expect(items).toHaveLength(1)
    expect(faults[0]?.detail).toMatch(reason)
  })

  it('with a common limit for the documents of an archive, keeping those before it', async () => {
    const limits = { ...READ_LIMITS, archiveBytes: Math.round(DAY.length * 1.5) }
    const { documents, faults } = await readAll(zipOf(DAY, DAY, DAY, DAY), { limits })
    expect(documents.map(({ items }) => items.length)).toEqual([8, 1])
    expect(faults[0]?.detail).toMatch(/of an archive may have .* together/)
  })
})

describe('a truncated gzip', () => {
  it('yields the days complete before the end, then a fault', async () => {
    const days = Array.from({ length: 40 }, (_, index) => ({
      day: Temporal.PlainDate.from('2026-01-01').add({ days: index }),
    }))
    const whole = gzipSync(gmeXml(...days))
    const { zoneDays, items, faults } = await readAll(whole.subarray(0, Math.round(whole.length * 0.7)))
    expect(zoneDays.length).toBeGreaterThan(8)
    expect(zoneDays.every(({ prices }) => !prices.includes(undefined))).toBe(true)
    expect(items.at(-1)?.kind).toBe('document-fault')
    expect(faults).toMatchObject([{ detail: expect.stringMatching(/damaged or cut off/) }])
  })

  it('keeps its only day if just the checksum is missing', async () => {
    const { zoneDays, faults } = await readAll(gzipSync(DAY).subarray(0, -8))
    expect(zoneDays).toHaveLength(8)
    expect(faults).toHaveLength(1)
  })
})

describe('compressed data that end before their container', () => {
  it('in a gzip are complete, and trailing bytes are ignored', async () => {
    const { zoneDays, faults } = await readAll(Buffer.concat([gzipSync(DAY), Buffer.alloc(1_000)]))
    expect(zoneDays).toHaveLength(8)
    expect(faults).toEqual([])
  })

  it('in a ZIP are damage if the checksum does not match', async () => {
    const whole = deflateRawSync(DAY)
    const short = deflateRawSync(DAY.slice(0, 3_000))
    const archive = zipOf(DAY)
    short.copy(archive, archive.indexOf(whole))
    const { documents, faults } = await readAll(archive)
    expect(documents).toHaveLength(1)
    expect(faults).toMatchObject([{ code: 'unreadable_document' }])
  })
})

describe('a file on disk', () => {
  it.each<[string, Buffer]>([
    ['20260114MGPPrezzi.xml', Buffer.from(DAY)],
    ['day.xml.gz', gzipSync(DAY)],
    ['day.zip', zipOf(DAY)],
  ])('%s is read from its path, hashed as stored, and reports its progress', async (name, content) => {
    const file = path.join(folder, name)
    await writeFile(file, content)
    const progress: [number, number][] = []
    const documents = []
    for await (const document of readDocuments(file, { onProgress: (...step) => progress.push(step) })) {
      documents.push({ ...document, items: await Array.fromAsync(document.parsed) })
    }
    expect(documents).toHaveLength(1)
    expect(documents[0]?.items).toHaveLength(8)
    expect(documents[0]?.sha256).toBe(createHash('sha256').update(content).digest('hex'))
    expect(documents[0]?.name.split('!')[0]).toBe(name)
    expect(progress.every(([read, total]) => read <= total && total === content.length)).toBe(true)
    expect(progress.length).toBeGreaterThan(0)
  })

  it('that is missing or a folder raises an error, not a fault of a document', async () => {
    await expect(Array.fromAsync(readDocuments(path.join(folder, 'absent.csv')))).rejects.toThrow(
      /absent\.csv: there is no such file$/,
    )
    await expect(Array.fromAsync(readDocuments(folder))).rejects.toThrow(/not a regular file/)
  })
})
