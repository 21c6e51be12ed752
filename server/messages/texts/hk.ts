import type { Texts } from '../text.ts'

export const hk: Texts = {
  locale: 'zh-Hant-HK',
  footer: 'Candor 絕不會透過電郵、電話或聊天向你索取驗證碼或密碼。',
  phrase: '你的防釣魚短語：{phrase}',
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
