import type { Reading } from './verdict.ts'

type Series = { readonly name: string; readonly labels: Readonly<Record<string, string>>; readonly value: number }

/** Series of a text in the format of Prometheus. */
export function seriesIn(text: string): readonly Series[] {
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, labels = '', value]) => ({
    name: name!,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text]) => [label!, text!])),
    value: Number(value),
  }))
}

/** orders  acknowledged until now */
export function readingIn(text: string, orders: number): Reading {
  const series = seriesIn(text)
  const by = (name: string, label: string): Readonly<Record<string, number>> =>
    Object.fromEntries(series.filter((one) => one.name === name).map(({ labels, value }) => [labels[label] ?? '', value]))
  const [dead, live] = [by('candor_table_dead_rows', 'table'), by('candor_table_live_rows', 'table')]
  return {
    atMs: performance.now(),
    memory: by('candor_process_resident_bytes', 'process'),
    heap: by('candor_process_heap_bytes', 'process'),
    arrays: by('candor_process_external_bytes', 'process'),
    handles: by('candor_process_handles', 'process'),
    descriptors: by('candor_process_descriptors', 'process'),
    tables: Object.fromEntries(Object.entries(dead).map(([table, rows]) => [table, { dead: rows, live: live[table] ?? 0 }])),
    databaseBytes: series.find(({ name }) => name === 'candor_database_bytes')?.value ?? Number.NaN,
    orders,
  }
}
