/** Thresholds of surveillance, all in one place. A report keeps those by which it was made. */
export const thresholds = {
  /** Points of the reasons for which two accounts may belong to one person, and the sum from which they count as linked. */
  linked: {
    scoreMin: 60,
    device: 70,
    document: 90,
    /** For each day on which both used one network, up to `networkMax`, from `networkDaysMin` days on. */
    networkDay: 10,
    networkMax: 30,
    networkDaysMin: 3,
    /** A network of more accounts, such as that of a mobile provider, says nothing about any two of them. */
    networkAccountsMax: 5,
    /** One invited the other. */
    referral: 15,
    /** Accounts of one firm, and a firm's account with a member's: known to the exchange, and enough for what they trade with each other. */
    firm: 100,
    member: 60,
    /** Each trades mostly with the other: at least this share of both volumes in a market. */
    trading: 25,
    tradingShareMin: 0.5,
    /** How far back sessions and networks are read. */
    backDays: 30,
  },
  /** A buys from B and sells the like amount back near that price, or the other way round. */
  roundTrips: {
    tripsMin: 3,
    /** Between the two trades of a trip. */
    windowMs: 10 * 60_000,
    /** Difference of their prices, as a share of the first one. */
    priceMax: 0.002,
    /** Share of the trips in the volume of each of the two accounts. */
    shareMin: 0.25,
  },
  /** Large orders that go unfilled within seconds, while the account's orders of the other side fill. */
  spoofing: {
    /** From placing to cancelling. */
    lifeMaxMs: 10_000,
    /** A large order is so many times the median order of its market. */
    medianTimes: 5,
    /** So little of it may have traded: a fill of one lot makes no other order of it. */
    filledMax: 0.05,
    /** It is also so many times the size of the account's orders that filled on the other side: quotes of a market maker are alike. */
    otherSideTimes: 3,
    /** From the fill to the cancellation. */
    afterFillMs: 5_000,
    /** Orders of one side that are cancelled within this time count as one move. */
    togetherMs: 2_000,
    movesMin: 3,
    /** Price levels of one move that make it layering. */
    levelsMin: 3,
  },
  /** Hardly any order of an account is meant to trade. */
  cancels: { ordersMin: 500, shareMin: 0.98 },
  /** Orders of Second that end well too often. Of orders that overlap in time, one counts. */
  secondWins: {
    backDays: 30,
    contractsMin: 20,
    /** Of a win and of a loss alike, because a tie counts as neither. */
    fairShare: 0.5,
    /** Probability of as many wins or more by chance. */
    chanceMax: 1e-6,
  },
} as const

export type Thresholds = typeof thresholds
