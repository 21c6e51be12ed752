import { ColoursQuestion } from './colours-question.tsx'
import { ExpiredSheet } from './expired-sheet.tsx'
import { Gates } from './gates.tsx'
import { HeadWatch } from './head-watch.tsx'
import { RealityCheck } from './reality-check.tsx'

/** What opens above any screen by itself. */
export function Layers() {
  return (
    <>
      <ExpiredSheet />
      <Gates />
      <ColoursQuestion />
      <RealityCheck />
      <HeadWatch />
    </>
  )
}
