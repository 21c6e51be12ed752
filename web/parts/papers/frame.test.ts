import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Box, cardRatio, frameIn, pageRatio, reduced, type Size } from './frame.ts'

const views: readonly Size[] = [
  { width: 390, height: 640 },
  { width: 320, height: 440 },
  { width: 640, height: 500 },
]
const videos: readonly Size[] = [
  { width: 2160, height: 3840 },
  { width: 1080, height: 1920 },
  { width: 1280, height: 720 },
  { width: 640, height: 480 },
]

test('UI-PAPERS-004: the frame has the document’s proportion, lies in the view, and the photo contains it', () => {
  for (const ratio of [cardRatio, pageRatio]) {
    for (const view of views) {
      for (const video of videos) {
        const { fit, guide, crop } = frameIn(video, view, ratio)
        assert.ok(Math.abs(guide.width / guide.height - ratio) < 1e-9)
        assert.ok(isIn(guide, view) && isIn(crop, video), JSON.stringify({ view, video, guide, crop }))
        const scale = Math[fit === 'cover' ? 'max' : 'min'](view.width / video.width, view.height / video.height)
        assert.ok(crop.width * scale >= guide.width && crop.height * scale >= guide.height, JSON.stringify({ view, video }))
      }
    }
  }
})

test('UI-PAPERS-004: an upright video fills the view, a wide one is shown whole; a camera with few pixels gives all of them', () => {
  assert.equal(frameIn(videos[0]!, views[0]!, cardRatio).fit, 'cover')
  assert.equal(frameIn(videos[2]!, views[0]!, cardRatio).fit, 'contain')
  assert.deepEqual(frameIn(videos[3]!, views[0]!, cardRatio).crop, { x: 0, y: 0, width: 640, height: 480 })
  const fine = frameIn(videos[0]!, views[0]!, cardRatio).crop
  assert.ok(fine.height >= 600 && fine.height < 1_600, String(fine.height))
})

test('UI-PAPERS-004: a picture is reduced to 2,000 pixels on its longer side, and never enlarged', () => {
  assert.deepEqual(reduced({ width: 4000, height: 3000 }), { width: 2000, height: 1500 })
  assert.deepEqual(reduced({ width: 3000, height: 6000 }), { width: 1000, height: 2000 })
  assert.deepEqual(reduced({ width: 800, height: 700 }), { width: 800, height: 700 })
  assert.deepEqual(reduced({ width: 9000, height: 1 }), { width: 2000, height: 1 })
})

function isIn({ x, y, width, height }: Box, size: Size): boolean {
  const slack = 1e-6
  return x >= -slack && y >= -slack && x + width <= size.width + slack && y + height <= size.height + slack
}
