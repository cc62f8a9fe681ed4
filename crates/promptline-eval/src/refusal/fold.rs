//! One spelling for matching: lower case, full width as half width, no accents on Latin and Arabic letters,
//! simplified for traditional characters, ASCII punctuation. Every byte knows where it comes from.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;

/// A folded text.
#[derive(Debug, Default)]
pub(super) struct Folded {
    pub(super) text: String,
    /// For each byte of `text`, where the character that it comes from begins in the original.
    origin: Vec<usize>,
    length: usize,
}

impl Folded {
    pub(super) fn new(original: &str) -> Self {
        let mut folded = Self {
            length: original.len(),
            origin: Vec::with_capacity(original.len()),
            ..Self::default()
        };
        let mut letter = Script::Other;
        for (at, character) in original.char_indices() {
            let before = folded.text.len();
            push(&mut folded.text, character, &mut letter);
            folded.origin.resize(folded.origin.len() + folded.text.len() - before, at);
        }
        folded
    }

    /// The range of the original that a range of the folded text comes from.
    pub(super) fn original(&self, range: &Range<usize>) -> Range<usize> {
        let at = |byte: usize| self.origin.get(byte).copied().unwrap_or(self.length);
        at(range.start)..at(range.end)
    }
}

/// Folds without keeping places: for patterns.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut letter = Script::Other;
    text.chars().for_each(|character| push(&mut folded, character, &mut letter));
    folded
}

/// Whether the marks that follow belong to a letter that is matched without them.
#[derive(Clone, Copy, PartialEq)]
enum Script {
    Bare,
    Other,
}

fn push(folded: &mut String, character: char, letter: &mut Script) {
    if character.is_ascii() {
        *letter = if character.is_ascii_alphabetic() { Script::Bare } else { Script::Other };
        folded.push(character.to_ascii_lowercase());
        return;
    }
    if let Some(plain) = plain(character) {
        *letter = Script::Other;
        folded.push(plain);
        return;
    }
    match character {
        '\u{4e00}'..='\u{9fff}' => {
            *letter = Script::Other;
            folded.push(simplified(character));
        }
        // Combining marks of Latin, of Arabic, and the stroke that only stretches a word.
        '\u{0300}'..='\u{036f}' if *letter == Script::Bare => {}
        '\u{064b}'..='\u{065f}' | '\u{0670}' | '\u{0640}' => {}
        // Composed Hangul, kana with their marks, and so on stay as they are.
        '\u{00c0}'..='\u{024f}' | '\u{1e00}'..='\u{1eff}' | '\u{0620}'..='\u{064a}' => {
            let mut parts = std::iter::once(character).nfd();
            if let Some(base) = parts.next() {
                folded.extend(base.to_lowercase());
            }
            *letter = Script::Bare;
        }
        _ => {
            *letter = Script::Other;
            for part in std::iter::once(character).nfkc() {
                folded.extend(part.to_lowercase().map(|c| plain(c).unwrap_or(c)));
            }
        }
    }
}

fn plain(character: char) -> Option<char> {
    Some(match character {
        '’' | '‘' | '＇' | '´' | 'ʼ' | '`' => '\'',
        '。' | '．' | '｡' => '.',
        '、' | '，' | '،' | '､' => ',',
        '！' => '!',
        '？' | '؟' => '?',
        '；' | '؛' => ';',
        '：' => ':',
        '…' => '.',
        '—' | '–' | '‐' | '‑' | '―' => '-',
        '\u{00a0}' | '\u{3000}' | '\u{202f}' | '\u{2009}' => ' ',
        'ё' | 'Ё' => 'е',
        'ى' => 'ي',
        'ة' => 'ه',
        'ß' => 's',
        _ => return None,
    })
}

/// The traditional characters that the rules use, by their simplified ones. Not a converter: both the
/// rules and the texts go through it.
fn simplified(character: char) -> char {
    const PAIRS: &str = "\
        無无權权務务圍围範范責责協协幫帮請请問问題题關关於于該该個个這这內内資资訊讯論论\
        討讨評评達达覆复復复為为爲为執执處处辦办說说話话談谈給给預预測测診诊斷断續续開开\
        絕绝違违規规則则條条業业領领屬属沒没許许願愿應应會会難难還还卻却對对諒谅遺遗聯联\
        絡络繫系係系詢询諮咨電电線线專专員员們们機机語语類类隱隐僅仅時时暫暂從从實实換换\
        別别見见愛爱過过與与當当貨货質质遞递動动據据設设隨随讓让點点發发錄录購购買买賣卖\
        寫写譯译訴诉細细節节學学習习瞭了報报認认識识須须僱雇體体統统製制創创編编級级參参\
        戶户顧顾產产訂订單单況况狀状準准確确歡欢來来東东種种樣样麼么嗎吗後后並并將将滿满\
        獲获備备議议嚴严讀读聽听檢检現现經经濟济擔担負负敘叙詳详簡简釋释證证態态師师計计\
        劃划謝谢轉转號号碼码裡里裏里洩泄優优藥药醫医療疗惱恼擾扰傳传輸输載载進进網网頁页\
        際际術术離离適适選选讚赞順顺變变親亲價价錢钱";
    static TABLE: std::sync::LazyLock<std::collections::HashMap<char, char>> =
        std::sync::LazyLock::new(|| {
            let traditional = PAIRS.chars().step_by(2);
            traditional.zip(PAIRS.chars().skip(1).step_by(2)).collect()
        });
    TABLE.get(&character).copied().unwrap_or(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling() {
        assert_eq!(fold("Désolé, ＡＢＣ！"), "desole, abc!");
        assert_eq!(fold("عذرًا، لا أستطيع"), "عذرا, لا استطيع");
        assert_eq!(fold("這個問題我無權回答。"), "这个问题我无权回答.");
        assert_eq!(fold("Can’t"), "can't");
        assert_eq!(fold("ガイド 할 수"), "ガイド 할 수");
    }

    #[test]
    fn places_are_kept() {
        let original = "Désolé… ＡＢ。";
        let folded = Folded::new(original);
        assert_eq!(folded.text, "desole. ab.");
        let at = folded.text.find("ab").unwrap();
        assert_eq!(&original[folded.original(&(at..at + 2))], "ＡＢ");
        assert_eq!(&original[folded.original(&(0..folded.text.len()))], original);
    }
}
