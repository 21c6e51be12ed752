import type { WirePapers } from '@candor/core/protocol/wire/papers.ts'
import { Info } from 'lucide-react'
import { Suspense, useState } from 'react'
import { queries } from '../../app/client.ts'
import { useConfig } from '../../app/config.ts'
import { navigate, usePlace } from '../../app/location.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { papersQuery, usePapers } from '../../parts/account/papers.ts'
import { Button, IconButton } from '../../parts/ui/button.tsx'
import { later } from '../../parts/ui/later.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { ScreenSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { About } from './about.tsx'
import { Certified, Rejected, Waiting } from './standing.tsx'
import { Footer } from '../../parts/papers/step-page.tsx'
import { nextStep, shownStep, type Step } from './steps.ts'

// One step is shown at a time.
const DocumentStep = later(async () => (await import('./document-step.tsx')).DocumentStep)
const DataStep = later(async () => (await import('./data-step.tsx')).DataStep)
const PhotoStep = later(async () => (await import('./photo-step.tsx')).PhotoStep)
const ReviewStep = later(async () => (await import('./review-step.tsx')).ReviewStep)

/** The identity check: its steps, and what became of it. */
export function Screen() {
  const { t } = useTranslation()
  const isVisitor = useMe() === undefined
  const own = usePapers()
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const hasHelp = own.data !== undefined && own.data.state !== 'none' && own.data.state !== 'certified'
  return (
    <Pull onRefresh={() => queries.invalidateQueries({ queryKey: papersQuery })}>
      <PageHeader title={t('papers.title')} fallback="/me">
        {!isVisitor && hasHelp && (
          <IconButton label={t('papers.about')} onClick={() => setIsHelpOpen(true)}>
            <Info size={22} strokeWidth={1.75} aria-hidden />
          </IconButton>
        )}
      </PageHeader>
      {isVisitor && <LoginFirst text={t('papers.loginFirst')} next="/kyc" />}
      {!isVisitor && own.data === undefined && (own.error === null ? <ScreenSkeleton /> : <Failure error={own.error} />)}
      {!isVisitor && own.data !== undefined && <Check papers={own.data} />}
      <Sheet isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} title={t('papers.about')}>
        <About usualHours={own.data?.usualHours ?? null} isInSheet />
      </Sheet>
    </Pull>
  )
}

/** The step is in the address, so that the phone's back gesture leads to the one before. */
function Check({ papers }: { readonly papers: WirePapers }) {
  const { query } = usePlace()
  const asked = query.get('step')
  const isOver = papers.state === 'waiting' || papers.state === 'certified'
  const isBefore = asked === null && (papers.state === 'none' || papers.state === 'rejected')
  const view = isOver || isBefore ? papers.state : shownStep(papers, asked)
  // Only a change of the view moves the focus; the first one leaves it where the browser put it.
  const [first] = useState(view)
  const [hasMoved, setHasMoved] = useState(false)
  const takesFocus = hasMoved || view !== first
  if (takesFocus && !hasMoved) setHasMoved(true)

  const open = (step: Step): void => navigate(`/kyc?step=${step}`)
  const onNext = (next: WirePapers, after: Step): void => open(nextStep(next, after))
  if (view === 'waiting') return <Waiting papers={papers} takesFocus={takesFocus} />
  if (view === 'certified') return <Certified papers={papers} takesFocus={takesFocus} />
  if (view === 'rejected') return <Rejected papers={papers} takesFocus={takesFocus} onOpen={open} onFix={() => open(nextStep(papers))} />
  if (view === 'none') return <Start papers={papers} onStart={() => open('document')} />
  const props = { papers, takesFocus, onNext }
  return (
    <Suspense fallback={<ScreenSkeleton />}>
      {view === 'document' ? (
        <DocumentStep {...props} />
      ) : view === 'data' ? (
        <DataStep {...props} />
      ) : view === 'front' || view === 'back' ? (
        <PhotoStep key={view} side={view} {...props} />
      ) : (
        <ReviewStep papers={papers} takesFocus={takesFocus} onOpen={open} />
      )}
    </Suspense>
  )
}

function Start({ papers, onStart }: { readonly papers: WirePapers; readonly onStart: () => void }) {
  const { t } = useTranslation()
  const isSandbox = useConfig().data?.mode === 'sandbox'
  return (
    <div className="flex flex-1 flex-col">
      <div className="flex flex-1 flex-col gap-4 px-4 pt-1 pb-4">
        <p className="text-15 text-fg2">{t('papers.lead')}</p>
        {isSandbox && <p className="rounded-control bg-warntint px-3 py-2.5 text-13 text-fg">{t('papers.practice')}</p>}
        <About usualHours={papers.usualHours} />
      </div>
      <Footer>
        <Button isWide onClick={onStart}>
          {t('papers.start')}
        </Button>
      </Footer>
    </div>
  )
}
