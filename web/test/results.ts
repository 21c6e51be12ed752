/** Steps with the picture of a result: it is drawn, has the amount only when asked for it, and is saved as a file. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Person } from './person.ts'

/** Opens the picture by the button that is there, and closes it again. `money`: part of the amount that it may show. */
export async function sharesResult({ page, t }: Person, open: () => Promise<void>, part: string): Promise<void> {
  await open()
  const sheet = page.getByRole('dialog', { name: t('share.title') })
  const picture = sheet.getByRole('img').first()
  await picture.waitFor()
  assert.match((await picture.getAttribute('aria-label')) ?? '', new RegExp(`^${part}`))
  const drawn = async (): Promise<string> => picture.evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL().slice(-4_000))
  const [width, isBlank] = await picture.evaluate((canvas) => {
    const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, 1080, 1350)
    return [(canvas as HTMLCanvasElement).width, new Set(data.slice(0, 1080 * 4 * 400)).size < 8] as const
  })
  assert.deepEqual([width, isBlank], [1080, false])
  assert.doesNotMatch((await picture.getAttribute('aria-label')) ?? '', /USDT$/)
  const before = await drawn()
  await sheet.getByRole('switch', { name: t('share.money') }).click()
  await sheet.getByRole('img', { name: /USDT$/ }).waitFor()
  await sheet.getByRole('radio', { name: t('share.light') }).click()
  await page.waitForFunction((old) => document.querySelector<HTMLCanvasElement>('dialog canvas')?.toDataURL().slice(-4_000) !== old, before)
  const saving = page.waitForEvent('download')
  await sheet.getByRole('button', { name: t('share.save') }).click()
  const file = await saving
  assert.equal(file.suggestedFilename(), 'candor-result.png')
  assert.equal((await readFile(await file.path())).subarray(1, 4).toString(), 'PNG')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'hidden' })
}
