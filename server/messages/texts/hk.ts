import type { Texts } from '../text.ts'

export const hk: Texts = {
  locale: 'zh-Hant-HK',
  footer: 'Candor 絕不會透過電郵、電話或聊天向你索取驗證碼或密碼。',
  phrase: '你的防釣魚短語：{phrase}',
  closesWithdrawals: '為保障你，你的帳戶在 24 小時內不能提取資產。',
  freeze: {
    mail: '不是你本人？此連結在 72 小時內有效，可立即凍結你的帳戶。在頁面上確認之前，不會作出任何更改：\n{link}',
    sms: '凍結帳戶：{link}',
  },
  withdrawalReasons: {
    'not-asked': '此提款似乎並非由你本人申請。',
    address: '轉出至此地址並不安全。',
    identity: '我們對你的身份資料有疑問。',
    deposit: '相關的存款正在審核中。',
    unclear: '我們未能確定此提款的用途。',
    'on-wish': '你要求我們停止此提款。',
  },
  inbox: {
    title: '模擬交易收件匣',
    note: '模擬交易的電郵和短訊只會送到這裏，不會寄往其他地方。最新的排在最前。',
    filter: '電郵地址或電話號碼',
    show: '顯示',
    refresh: '重新整理',
    empty: '暫時沒有訊息。請在應用程式要求驗證碼，然後重新整理。',
    recipient: '收件人 {to}',
  },
  templates: {
    'register-code': {
      subject: '你的 Candor 驗證碼是 {code}',
      body: [
        '歡迎。請輸入以下驗證碼以完成註冊：',
        '{code}',
        '驗證碼於 {minutes} 分鐘內有效。如果不是你本人要求，請忽略此訊息：沒有驗證碼，就不會有任何變動。',
      ],
      sms: '你的 Candor 註冊驗證碼是 {code}，{minutes} 分鐘內有效。請勿告訴任何人。',
    },
    'reset-code': {
      subject: '重設密碼的驗證碼是 {code}',
      body: [
        '請輸入以下驗證碼以設定新密碼：',
        '{code}',
        '驗證碼於 {minutes} 分鐘內有效。如果不是你本人要求，即有人輸入了你的電郵或電話：你的密碼維持不變。',
        '或開啟以下連結：15 分鐘內無需驗證碼亦可設定新密碼。',
        '{link}',
      ],
      sms: '你的 Candor 重設密碼驗證碼是 {code}，{minutes} 分鐘內有效。請勿告訴任何人。',
    },
    'reset-link': {
      subject: '重設密碼的連結',
      body: [
        '請在 {minutes} 分鐘內開啟以下連結以設定新密碼：',
        '{link}',
        '由於要求或嘗試驗證碼的次數過多，目前不接受驗證碼。',
        '如果不是你本人要求，即有人輸入了你的電郵或電話：你的密碼維持不變。請勿將連結告訴任何人。',
      ],
      sms: 'Candor：請在 {minutes} 分鐘內開啟 {link} 重設密碼。請勿告訴任何人。',
    },
    'new-device': {
      subject: '你的帳戶有新的登入',
      body: [
        '有人在一部我們未曾見過的裝置上登入了你的帳戶。',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '如果是你本人，無須理會。如果不是，請立即重設密碼：所有登入都會隨之結束。',
      ],
      sms: 'Candor：帳戶有新登入，{device}，{ip}，{time}。不是你本人？請立即重設密碼。',
    },
    'password-changed': {
      subject: '你的密碼已更改',
      body: [
        '你的帳戶密碼已更改，其他登入已結束。',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '如果不是你本人，請立即重設密碼並聯絡客戶服務。',
      ],
      sms: 'Candor：你的密碼已於 {time} 更改。不是你本人？請立即重設並聯絡客戶服務。',
    },
    'key-widened': {
      subject: '有 API 密鑰可代你操作帳戶',
      body: [
        '你的帳戶新增了 API 密鑰，或其權限已擴大。',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '如果不是你本人，請立即在應用程式中刪除該密鑰並更改密碼。',
      ],
      sms: 'Candor：{time} 有 API 密鑰可代你操作帳戶。不是你本人？請立即刪除並更改密碼。',
    },
    'proof-code': {
      subject: '你的確認碼是 {code}',
      body: [
        '請輸入以下驗證碼，確認是你本人：',
        '{code}',
        '驗證碼於 {minutes} 分鐘內有效。如果不是你本人要求，即有人已登入你的帳戶：請立即重設密碼。',
      ],
      sms: '你的 Candor 確認碼是 {code}，{minutes} 分鐘內有效。請勿告訴任何人。',
    },
    'factor-added': {
      subject: '已新增第二重驗證',
      body: [
        '你的帳戶新增了通行密鑰或驗證器應用程式。',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '如果不是你本人，請立即重設密碼並聯絡客戶服務。',
      ],
      sms: 'Candor：{time} 已新增第二重驗證。不是你本人？請立即重設密碼並聯絡客戶服務。',
    },
    'factor-removed': {
      subject: '已移除第二重驗證',
      body: [
        '你的帳戶移除了通行密鑰或驗證器應用程式。',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '如果不是你本人，請立即重設密碼並聯絡客戶服務。',
      ],
      sms: 'Candor：{time} 已移除第二重驗證。不是你本人？請立即重設密碼並聯絡客戶服務。',
    },
    'factor-failed': {
      subject: '一次登入停於第二重驗證',
      body: [
        '有人輸入了你的密碼，其後輸入了錯誤的驗證碼。',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '如果不是你本人，即有人知道你的密碼：請立即更改。',
      ],
      sms: 'Candor：{time} 密碼正確，但第二重驗證錯誤。不是你本人？請立即更改密碼。',
    },
    'recovery-renewed': {
      subject: '你的備用碼已更新',
      body: [
        '你的帳戶備用碼已更換，舊碼不再有效。',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '如果不是你本人，請立即重設密碼並聯絡客戶服務。',
      ],
      sms: 'Candor：備用碼已於 {time} 更新。不是你本人？請立即重設密碼並聯絡客戶服務。',
    },
    'address-code': {
      subject: '你的地址驗證碼是 {code}',
      body: [
        '請輸入以下驗證碼，把此地址加入你的帳戶：',
        '{code}',
        '驗證碼於 {minutes} 分鐘內有效。如果不是你本人要求，請忽略此訊息：沒有驗證碼，不會作出任何更改。',
      ],
      sms: '{code} 是你把此號碼加入 Candor 帳戶的驗證碼，{minutes} 分鐘內有效。請勿告訴任何人。',
    },
    'address-taken': {
      subject: '有人嘗試把你的地址加入另一帳戶',
      body: [
        '有人嘗試把此地址加入另一帳戶。此地址屬於你的帳戶，因此沒有作出任何更改，亦沒有發出驗證碼。',
        '如果是你本人：一個地址只能屬於一個帳戶，請先從此帳戶移除。',
      ],
      sms: 'Candor：有人嘗試把此號碼加入另一帳戶。號碼仍屬於你的帳戶，沒有作出任何更改。',
    },
    'address-set': {
      subject: '你的帳戶地址已更改',
      body: [
        '{address} 現屬於你的帳戶，可用來登入，並會收到安全訊息。同類的舊地址不再有效。',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '如果不是你本人，請立即重設密碼並聯絡客戶服務。',
      ],
      sms: 'Candor：{address} 已於 {time} 加入你的帳戶。不是你本人？請立即聯絡客戶服務。',
    },
    'address-removed': {
      subject: '已從你的帳戶移除一個地址',
      body: [
        '{address} 不再屬於你的帳戶，不能用來登入，亦不會再收到訊息。',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '如果不是你本人，請立即重設密碼並聯絡客戶服務。',
      ],
      sms: 'Candor：{address} 已於 {time} 從你的帳戶移除。不是你本人？請立即聯絡客戶服務。',
    },
    'payment-set': {
      subject: '你的資金密碼已設定',
      body: [
        '你的帳戶已設定或更改資金密碼。',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '如果不是你本人，請立即重設密碼並聯絡客戶服務。',
      ],
      sms: 'Candor：資金密碼已於 {time} 設定。不是你本人？請立即重設密碼並聯絡客戶服務。',
    },
    'deletion-asked': {
      subject: '你的帳戶將於 {date} 刪除',
      body: [
        '你要求刪除帳戶。帳戶將於 {date} 刪除，之後無法恢復。',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '改變主意，或並非你本人要求？請在該日之前登入，刪除便會取消。',
      ],
      sms: 'Candor：你的帳戶將於 {date} 刪除。在此之前登入即可取消。',
    },
    'account-frozen': {
      subject: '你的帳戶已凍結',
      body: [
        '你的帳戶已凍結：所有登入已結束，任何人都不能登入，API 密鑰會被拒絕，未成交訂單會撤銷。未平倉合約仍按市場規則處理。',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '如要重新使用，請聯絡客戶服務。我們會由兩名職員核實是你本人。',
      ],
      sms: 'Candor：你的帳戶已於 {time} 凍結，任何人都不能登入。如要重新使用，請聯絡客戶服務。',
    },
    'frozen-note': {
      subject: '帳戶已凍結，不能重設密碼',
      body: [
        '有人（很可能是你）要求重設你的帳戶密碼。帳戶已凍結，因此沒有作出任何更改。',
        '如要重新使用，請聯絡客戶服務。我們會由兩名職員核實是你本人。',
      ],
      sms: 'Candor：你的帳戶已凍結，不能重設密碼。如要重新使用，請聯絡客戶服務。',
    },
    'account-unfrozen': {
      subject: '你的帳戶已解除凍結',
      body: [
        '你的帳戶已解除凍結。你可以如常登入，API 密鑰亦重新有效。',
        '請檢查你的密鑰、地址和登入記錄。如果不是你要求解除，請再次凍結帳戶並聯絡客戶服務。',
      ],
      sms: 'Candor：你的帳戶已解除凍結，可以重新登入。不是你本人？請立即聯絡客戶服務。',
    },
    'regain-code': {
      subject: '你的取回帳戶驗證碼是 {code}',
      body: [
        '有人輸入了你的密碼，並要求在沒有第二重驗證的情況下登入。如要繼續，請輸入以下驗證碼：',
        '{code}',
        '驗證碼於 {minutes} 分鐘內有效。',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '如果不是你本人，即有人知道你的密碼：請立即更改密碼，切勿將驗證碼告訴任何人。',
      ],
      sms: '你的 Candor 取回帳戶驗證碼是 {code}。不是你本人？請立即更改密碼。請勿告訴任何人。',
    },
    'regain-begun': {
      subject: '有人要求在沒有第二重驗證的情況下登入',
      body: [
        '有人知道你的密碼，並能查看此電郵或電話，現要求在沒有第二重驗證的情況下登入你的帳戶。',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '如果你不阻止，對方最早可於 {until} 登入。如果是你本人，無須理會。',
        '如果不是你本人，請以第二重驗證登入，此要求便會終止；你亦可凍結帳戶。',
      ],
      sms: 'Candor：有人要求在沒有第二重驗證的情況下登入，最早於 {until} 生效。不是你本人？請以第二重驗證登入，或凍結帳戶。',
    },
    'regain-link': {
      subject: '取回帳戶的連結',
      body: [
        '等候時間已過。請於 {hours} 小時內開啟此連結並設定新密碼，遺失的第二重驗證會一併移除：',
        '{link}',
        '連結只可使用一次，切勿轉交任何人。之後所有登入會結束，24 小時內不能提款。',
      ],
      sms: 'Candor：請於 {hours} 小時內開啟 {link} 取回帳戶。切勿轉交他人。',
    },
    'regain-rejected': {
      subject: '你的取回帳戶要求未獲接納',
      body: ['你提交的文件與帳戶驗證身份時的文件不符，因此第二重驗證維持不變。', '請登入後以同一份文件的相片再次申請，或聯絡客戶服務。'],
      sms: 'Candor：你的取回帳戶要求未獲接納，文件不符。請以已驗證的文件再次申請，或聯絡客戶服務。',
    },
    regained: {
      subject: '你的第二重驗證已移除',
      body: [
        '你的帳戶已以新密碼重新開啟，第二重驗證已移除，所有登入已結束。',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '請登入並立即加入通行密鑰或驗證器應用程式。如果不是你本人，請聯絡客戶服務。',
      ],
      sms: 'Candor：密碼已於 {time} 更改，第二重驗證已移除。請立即加入新的驗證方式。不是你本人？請聯絡客戶服務。',
    },
    'allow-list-on': {
      subject: '提款地址鎖已開啟',
      body: ['任何人現在都不能為你的帳戶新增提款地址。提款只會轉到名單內的地址。', '裝置：{device}\nIP 位址：{ip}\n時間：{time}'],
      sms: 'Candor：提款地址鎖已於 {time} 開啟。',
    },
    'allow-list-ending': {
      subject: '提款地址鎖即將關閉',
      body: [
        '有人要求關閉你的提款地址鎖。地址鎖於 {until} 前仍然有效；之後可再新增提款地址，每個須等候 24 小時。',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '如果不是你本人，請在安全中心保留地址鎖，並立即更改密碼。',
      ],
      sms: 'Candor：提款地址鎖將於 {until} 失效。不是你本人？請在安全中心保留地址鎖，並立即更改密碼。',
    },
    'withdrawal-address-added': {
      subject: '已新增提款地址',
      body: [
        '{until} 起，你帳戶的提款可轉到此 {network} 地址：',
        '{destination}',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '如果不是你本人，有人已登入你的帳戶：請立即凍結帳戶。',
      ],
      sms: 'Candor：已新增 {network} 提款地址 {destination}，{until} 起可用。',
    },
    'withdrawal-address-removed': {
      subject: '已移除提款地址',
      body: [
        '你帳戶的提款不會再轉到此 {network} 地址：',
        '{destination}',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '如果不是你本人，請立即更改密碼。',
      ],
      sms: 'Candor：{network} 提款地址 {destination} 已於 {time} 移除。不是你本人？請立即更改密碼。',
    },
    'withdrawal-requested': {
      subject: '已收到提款申請',
      body: [
        '你的帳戶已提出 {quantity} {asset} 的提款申請，其中 {received} {asset} 將轉到此 {network} 地址：',
        '{destination}',
        '時間：{time}',
        '如果不是你本人，請立即凍結帳戶。只要提款仍在審核中，凍結即可阻止提款。',
      ],
      sms: 'Candor：已收到提款申請：{quantity} {asset} 轉到 {network} {destination}。不是你本人？請立即凍結帳戶。',
    },
    'withdrawal-approved': {
      subject: '你的提款已獲批准',
      body: ['你的 {quantity} {asset} 提款已獲批准，將轉到此 {network} 地址：', '{destination}', '時間：{time}'],
      sms: 'Candor：你的 {quantity} {asset} 提款已獲批准，{time}。',
    },
    'withdrawal-rejected': {
      subject: '你的提款被拒絕',
      body: ['你的 {quantity} {asset} 提款被拒絕，金額已可再次使用。', '原因：{reason}', '時間：{time}', '如有疑問，請聯絡客戶服務。'],
      sms: 'Candor：你的 {quantity} {asset} 提款被拒絕，{time}。原因請見應用程式。',
    },
    'withdrawal-paid': {
      subject: '你的提款已完成',
      body: ['{received} {asset} 已到達此 {network} 地址：', '{destination}', '鏈上交易：\n{txid}', '時間：{time}'],
      sms: 'Candor：你的 {quantity} {asset} 提款已完成，{time}。鏈上交易請見應用程式。',
    },
    'withdrawal-failed': {
      subject: '你的提款失敗',
      body: [
        '你在 {network} 網絡的 {quantity} {asset} 提款未能支付，金額已可再次使用。',
        '時間：{time}',
        '沒有資產離開你的帳戶，你可以再次申請提款。',
      ],
      sms: 'Candor：你的 {quantity} {asset} 提款失敗，{time}。金額已可再次使用。',
    },
    'deposit-credited': {
      subject: '存款已入帳',
      body: ['來自 {network} 的 {quantity} {asset} 已存入你的現貨帳戶。', '時間：{time}', '現可用於交易；何時可以提款請見應用程式。'],
      sms: 'Candor：來自 {network} 的 {quantity} {asset} 已入帳，{time}。',
    },
    'deposit-repaid': {
      subject: '存款已償還欠款',
      body: [
        '來自 {network} 的 {quantity} {asset} 已到達，其中 {repaid} {asset} 用於償還因存款被網絡撤銷而產生的欠款。尚欠 {debt} {asset}。',
        '時間：{time}',
      ],
      sms: 'Candor：存款中的 {repaid} {asset} 已償還欠款，{time}。',
    },
    'deposit-final': {
      subject: '存款現可提款',
      body: ['你來自 {network} 的 {quantity} {asset} 存款已獲最終確認，現可提款。', '時間：{time}'],
      sms: 'Candor：你的 {quantity} {asset} 存款現可提款，{time}。',
    },
    'deposit-small': {
      subject: '存款低於最低金額',
      body: [
        '來自 {network} 的 {quantity} {asset} 已到達。此網絡的存款累計達到 {min} {asset} 後才會入帳，還差 {missing} {asset}。',
        '時間：{time}',
        '已到達的金額仍屬於你，會與之後的存款一併計算。',
      ],
      sms: 'Candor：{quantity} {asset} 的存款正在等候，距最低金額還差 {missing} {asset}。',
    },
    'deposit-dropped': {
      subject: '存款已被收回',
      body: [
        '{network} 網絡已撤銷你的 {quantity} {asset} 存款所在的區塊，因此該存款已從你的現貨帳戶收回。',
        '時間：{time}',
        '若網絡再次收錄此筆付款，將會重新入帳。',
      ],
      sms: 'Candor：網絡已撤銷你的 {quantity} {asset} 存款，該存款已被收回，{time}。',
    },
    'deposit-debt': {
      subject: '存款被網絡撤銷，你尚有欠款',
      body: [
        '{network} 網絡已撤銷你的 {quantity} {asset} 存款所在的區塊。你的現貨帳戶結餘不足以全數收回，因此你欠 {debt} {asset}。',
        '時間：{time}',
        '還清之前不接受任何提款。你之後的 {asset} 存款會先用於還款，你亦可在應用程式從現貨帳戶償還。',
      ],
      sms: 'Candor：網絡已撤銷你的 {quantity} {asset} 存款。你欠 {debt} {asset}，還清之前不接受提款。',
    },
    'rest-begun': {
      subject: '你的帳戶已進入暫停期',
      body: [
        '直至 {until}，你的帳戶不會接受任何增加風險的操作：不可開新持倉、借貸或 Second 訂單，也不可用 USDT 買入。平倉、賣出換取 USDT 及提款仍然可行。',
        '任何人都不能提早結束暫停期，包括你和交易所。應用程式的「你的限額」頁面會顯示暫停的原因。',
      ],
      sms: 'Candor：你的帳戶已進入暫停期，直至 {until}。',
    },
    'papers-verified': {
      subject: '你的身份已驗證',
      body: ['你的身份已驗證，現在可以使用合約、槓桿、秒合約及借出理財。'],
      sms: 'Candor：你的身份已驗證。',
    },
    'papers-rejected': {
      subject: '你的身份驗證需要修改',
      body: ['我們暫時未能驗證你的身份。請在應用程式開啟「身份驗證」，查看缺少甚麼及原因。', '只需重新提交標示的部分。'],
      sms: 'Candor：你的身份驗證需要修改，請在應用程式查看原因。',
    },
    'papers-revoked': {
      subject: '你的身份驗證已被撤銷',
      body: [
        '你的身份已不再獲驗證。合約、槓桿、秒合約及借出理財不再接受新訂單；現有的可以平倉或結束，你的資金不受影響。',
        '請在應用程式開啟「身份驗證」重新驗證，或聯絡客服。',
      ],
      sms: 'Candor：你的身份驗證已被撤銷，請在應用程式重新驗證。',
    },
    'login-failed': {
      subject: '你的帳戶有登入失敗紀錄',
      body: [
        '有人多次輸入了錯誤的帳戶密碼。以下是最後一次嘗試：',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '如果是你本人，無須理會。如果不是，請在應用程式的安全中心新增第二重驗證，這樣單憑密碼便無法登入。',
      ],
      sms: 'Candor：你的帳戶多次密碼錯誤，最後一次來自 {ip}，{time}。不是你本人？請新增第二重驗證。',
    },
    'recovery-used': {
      subject: '已使用一個備用碼',
      body: [
        '你的帳戶使用了一個備用碼代替第二重驗證。',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '如果不是你本人，請立即重設密碼並聯絡客戶服務。',
      ],
      sms: 'Candor：{time} 已使用一個備用碼。不是你本人？請立即重設密碼並聯絡客戶服務。',
    },
    'key-used': {
      subject: '一個 API 金鑰首次被使用',
      body: [
        '你帳戶的 API 金鑰「{label}」首次被使用。',
        'IP 位址：{ip}\n時間：{time}',
        '如果不是你本人，請立即在應用程式中刪除該金鑰並更改密碼。',
      ],
      sms: 'Candor：{time} 一個 API 金鑰首次被使用，來自 {ip}。不是你本人？請立即刪除金鑰並更改密碼。',
    },
    'rest-ended': {
      subject: '你的休息期已結束',
      body: ['你的休息期已結束，限額維持不變。', '如想繼續休息，可在應用程式「我的」內再次開始。'],
      sms: 'Candor：你的休息期已結束，限額維持不變。',
    },
    'support-answered': {
      subject: '客戶服務已回覆你',
      body: [
        '客戶服務已在工單 {ticket} 回覆你。',
        '時間：{time}',
        '請在應用程式的「客戶服務」查看。我們的職員絕不會索取你的密碼、驗證碼或支付密碼。',
      ],
      sms: 'Candor：客戶服務已在工單 {ticket} 回覆你，請在應用程式查看。',
    },
    'firm-waiting': {
      subject: '公司有申請等待你審批',
      body: ['{firm} 的第 {number} 號申請需要你批准。', '時間：{time}', '請在應用程式的「公司帳戶」查看，只在清楚用途時批准。'],
      sms: 'Candor：{firm} 的第 {number} 號申請需要你批准。',
    },
    'firm-decided': {
      subject: '公司的申請已有結果',
      body: ['{firm} 的第 {number} 號申請：請查看結果。', '時間：{time}', '請在應用程式的「公司帳戶」查看結果。'],
      sms: 'Candor：{firm} 的第 {number} 號申請：請查看結果。',
    },
    'firm-invited': {
      subject: '有公司邀請你',
      body: ['{firm} 邀請你成為成員。', '時間：{time}', '請在應用程式的「公司帳戶」查看獲邀的角色，只在認識該公司時接受。'],
      sms: 'Candor：{firm} 邀請你成為成員。',
    },
    'firm-changed': {
      subject: '你在公司的角色已更改',
      body: [
        '你在 {firm} 的角色或帳戶已更改。',
        '時間：{time}',
        '請在應用程式的「公司帳戶」查看你現在可做的事。你為公司帳戶建立的 API 密鑰可能已失效。',
      ],
      sms: 'Candor：你在 {firm} 的角色或帳戶已更改。',
    },
    'firm-ended': {
      subject: '你在公司的身份已結束',
      body: ['你在 {firm} 的成員身份或邀請已結束。', '時間：{time}', '你不能再使用該公司的帳戶；你自己的帳戶不受影響。'],
      sms: 'Candor：你在 {firm} 的成員身份或邀請已結束。',
    },
    'firm-answered': {
      subject: '你的公司申請已有結果',
      body: ['交易所已就你的 {firm} 公司申請作出決定。', '時間：{time}', '請在應用程式的「公司帳戶」查看決定。'],
      sms: 'Candor：交易所已就你的 {firm} 公司申請作出決定。',
    },
    'funds-posted': {
      subject: '你的結餘已被調整',
      body: [
        'Candor 已在你的帳戶記入一筆調整，由兩名職員決定並註明原因。',
        '時間：{time}',
        '金額可在應用程式的資產記錄查看。如非你所預期，請聯絡客戶服務。',
      ],
      sms: 'Candor：你的結餘已被調整，{time}。金額請見應用程式。',
    },
    'limit-raised': {
      subject: '你的一項限額已調高或取消',
      body: ['你已在等候期後確認調高或取消一項限額，即時生效。', '你可隨時再次調低，即時生效。如果不是你本人，請立即凍結帳戶。'],
      sms: 'Candor：你的一項限額已調高或取消。不是你本人？請立即凍結帳戶。',
    },
    'futures-warning': {
      subject: '一個合約倉位即將觸及強平',
      body: [
        '你的合約帳戶有一個倉位即將觸及強平。',
        '時間：{time}',
        '請開啟應用程式，增加保證金或減少倉位。標記價格若繼續不利變動，倉位將被平倉。',
      ],
      sms: 'Candor：{time} 一個合約倉位即將觸及強平。請開啟應用程式增加保證金或減倉。',
    },
    'futures-liquidated': {
      subject: '一個合約倉位正被強制平倉',
      body: ['你的一個合約倉位的保證金不足，正被部分或全部平倉。', '時間：{time}', '應用程式會顯示每一步及其依據的價格。'],
      sms: 'Candor：{time} 一個合約倉位正被強制平倉。應用程式會顯示每一步。',
    },
    'futures-deleveraged': {
      subject: '一個合約倉位已被自動減倉',
      body: [
        '另一位客戶的合約倉位無法在市場上平倉，你的對手方倉位已按同一價格被部分或全部平倉，即自動減倉。',
        '時間：{time}',
        '應用程式會顯示價格及剩餘倉位。',
      ],
      sms: 'Candor：{time} 一個合約倉位已被自動減倉。詳情請看應用程式。',
    },
    'margin-warning': {
      subject: '一個槓桿帳戶即將觸及強平',
      body: [
        '你的一個槓桿帳戶的保證金水平偏低。',
        '時間：{time}',
        '請開啟應用程式還款或加入資產。水平若繼續下降，資產將被賣出以償還債務。',
      ],
      sms: 'Candor：{time} 一個槓桿帳戶即將觸及強平。請開啟應用程式還款或加入資產。',
    },
    'margin-liquidated': {
      subject: '一個槓桿帳戶正被強制平倉',
      body: ['你的一個槓桿帳戶的保證金水平已低於下限，資產正被賣出以償還債務。', '時間：{time}', '應用程式會顯示每一步及其依據的價格。'],
      sms: 'Candor：{time} 一個槓桿帳戶正被強制平倉。應用程式會顯示每一步。',
    },
    'price-alert': {
      subject: '價格提示已觸發',
      body: ['{symbol} 已達到你的價格提示：{reached}。', '時間：{time}', '你可在應用程式管理價格提示。提示不構成交易建議。'],
      sms: 'Candor：{symbol} 已達到你的價格提示：{reached}，{time}。',
    },
    'second-settled': {
      subject: '一張秒合約訂單已結算',
      body: ['你的一張秒合約訂單已結算。', '時間：{time}', '應用程式會顯示結果及核對方法。'],
      sms: 'Candor：{time} 一張秒合約訂單已結算。',
    },
    'order-filled': {
      subject: '一張訂單已全部成交',
      body: ['你的一張訂單已全部成交。', '時間：{time}', '應用程式會顯示價格及手續費。'],
      sms: 'Candor：{time} 一張訂單已全部成交。',
    },
    'order-cut': {
      subject: '一張訂單部分成交',
      body: ['你的一張訂單部分成交，其餘已取消。', '時間：{time}', '應用程式會顯示價格及手續費。'],
      sms: 'Candor：{time} 一張訂單部分成交。',
    },
    'algo-ended': {
      subject: '一張 TWAP 或分批訂單已結束',
      body: ['你的一張 TWAP 或分批訂單已結束。', '時間：{time}', '應用程式會顯示買賣數量及結束原因。'],
      sms: 'Candor：{time} 一張 TWAP 或分批訂單已結束。',
    },
    'order-ended': {
      subject: '一張訂單未成交便結束',
      body: ['你的一張訂單在成交前已結束。', '時間：{time}', '應用程式會顯示原因。'],
      sms: 'Candor：{time} 一張訂單未成交便結束。',
    },
    'coins-moved': {
      subject: '帳戶之間有劃轉',
      body: ['你的帳戶之間或公司帳戶之間有一筆劃轉。', '時間：{time}', '應用程式會顯示幣種及數量。'],
      sms: 'Candor：{time} 帳戶之間有劃轉。',
    },
    'loan-taken': {
      subject: '已借入一筆借款',
      body: ['你的一個槓桿帳戶已借入資產。', '時間：{time}', '應用程式會顯示幣種及數量。'],
      sms: 'Candor：{time} 已借入一筆借款。',
    },
    'loan-repaid': {
      subject: '已償還一筆借款',
      body: ['你的一個槓桿帳戶已償還部分或全部借款。', '時間：{time}', '應用程式會顯示幣種及數量。'],
      sms: 'Candor：{time} 已償還一筆借款。',
    },
    'signal-refused': {
      subject: '一個訊號被拒絕',
      body: ['你的一個 API 金鑰收到警報，但沒有下單。', '時間：{time}', '應用程式的訊號紀錄會顯示原因。'],
      sms: 'Candor：{time} 一個訊號被拒絕。',
    },
    'staff-enrolment': {
      subject: '設定你的員工帳戶',
      body: [
        '請開啟以下連結，為你的員工帳戶設定密碼及通行密鑰：',
        '{link}',
        '連結只可使用一次，24 小時內有效，並只供你本人使用：請勿交給任何人，包括同事。',
        '如果你沒有預期收到此連結，請勿開啟，並通知你的管理員。',
      ],
      sms: 'Candor：請開啟 {link} 設定員工帳戶，只可使用一次，24 小時內有效。',
    },
    'staff-address': {
      subject: '你的員工帳戶的電郵地址已更改',
      body: ['由現在起，你的員工帳戶的電郵會寄往另一個地址。', '時間：{time}', '如果不是你要求的，請立即通知你的管理員。'],
      sms: 'Candor：你的員工帳戶的電郵地址已於 {time} 更改。不是你要求的？請立即通知管理員。',
    },
    'staff-login': {
      subject: '你的員工帳戶的登入方式已更改',
      body: [
        '你的員工帳戶的通行密鑰、驗證器應用程式或密碼已更改。',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '如果不是你本人，請立即通知管理員：重新設定會結束所有登入。',
      ],
      sms: 'Candor：你的員工帳戶的登入方式已於 {time} 更改。不是你本人？請立即通知管理員。',
    },
    'webhook-created': {
      subject: '你的帳戶新增了 Webhook',
      body: [
        '由現在起，你帳戶的事件會傳送至以下網址：',
        '{url}',
        '裝置：{device}\nIP 位址：{ip}\n時間：{time}',
        '如果不是你本人，請立即在應用程式中刪除該 Webhook 並更改密碼。',
      ],
      sms: 'Candor：{time} 你的帳戶新增了 Webhook。不是你本人？請立即刪除並更改密碼。',
    },
    'webhook-off': {
      subject: '一個 Webhook 已被關閉',
      body: [
        '自 {time} 起，向你的一個 Webhook 傳送一直失敗，因此已被關閉：',
        '{url}',
        '你的伺服器恢復後，請在應用程式中重新開啟 Webhook，並重新傳送遺漏的事件。訂單和結餘不受影響。',
      ],
      sms: 'Candor：你的一個 Webhook 自 {time} 起傳送失敗，已被關閉。',
    },
    'account-exists': {
      subject: '你已有帳戶',
      body: [
        '有人（很可能是你）想用此地址註冊。此地址已有帳戶，因此不會再開立另一個。',
        '請照常登入。如果忘記了密碼，請在登入頁選擇「忘記密碼？」。',
      ],
      sms: 'Candor：此號碼已有帳戶。請登入，或選擇「忘記密碼？」。',
    },
  },
}
