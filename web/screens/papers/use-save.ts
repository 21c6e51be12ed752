import { ApiError } from '@candor/client/errors.ts'
import type { WirePapers, WirePapersDraft } from '@candor/core/protocol/wire/papers.ts'
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { queries } from '../../app/client.ts'
import { keepPapers, papers, papersQuery } from '../../parts/account/papers.ts'
import type { Step } from './steps.ts'

export type StepProps = {
  readonly papers: WirePapers
  readonly takesFocus: boolean
  /** Goes to the next step that is not done. `papers`: as they are now. */
  readonly onNext: (papers: WirePapers, after: Step) => void
}

/** Saves a part of the draft and goes on. */
export function useSave(step: Step, onNext: StepProps['onNext']): UseMutationResult<WirePapers, Error, WirePapersDraft> {
  return useMutation({
    mutationFn: (draft: WirePapersDraft) => papers.save(draft),
    onSuccess(next) {
      keepPapers(next)
      onNext(next, step)
    },
    onError: readIfLocked,
  })
}

/** The check was sent or decided elsewhere, so the screen shows a state that is over. */
export function readIfLocked(error: Error): void {
  if (error instanceof ApiError && error.code === 'PAPERS_LOCKED') void queries.invalidateQueries({ queryKey: papersQuery })
}
