//! One line, one rule. In these texts `∅` is an `EMPTY` mark and `⟨0⟩` is a token.

use super::Level::{self, Document, Section};
use super::{clean, clean_skeleton};
use crate::text::marks::{CLOSE, EMPTY, OPEN};

pub(super) fn skeleton(readable: &str) -> String {
    let mark = |character| match character {
        '∅' => EMPTY,
        '⟨' => OPEN,
        '⟩' => CLOSE,
        other => other,
    };
    readable.chars().map(mark).collect()
}

fn readable(skeleton: &str) -> String {
    let unmark = |character| match character {
        EMPTY => '∅',
        OPEN => '⟨',
        CLOSE => '⟩',
        other => other,
    };
    skeleton.chars().map(unmark).collect()
}

fn check(level: Level, input: &str, expected: &str) {
    let cleaned = clean_skeleton(skeleton(input), level);
    assert_eq!(readable(&cleaned), expected);
    assert_eq!(clean(&cleaned, level), cleaned, "cleaned twice");
}

/// `name, level, input => output`; without an output the input is clean already.
macro_rules! clean {
    ($($name:ident, $level:ident, $input:literal $(=> $output:literal)?;)*) => {
        $(
            #[test]
            fn $name() {
                let expected = [$input, $($output)?];
                check($level, $input, expected[expected.len() - 1]);
            }
        )*
    };
}

mod blank_lines {
    use super::*;

    clean! {
        nothing, Document, "";
        only_blanks, Document, " \n\t\n" => "";
        one_stays, Document, "a\n\nb";
        one_stays_as_written, Document, "a\n \t\nb";
        two_become_one, Document, "a\n\n\nb" => "a\n\nb";
        two_with_blanks_become_an_empty_one, Document, "a\n \n\t\nb" => "a\n\nb";
        any_white_space_is_blank, Document, "a\n\u{3000}\n\u{85}\n\u{2028}\nb" => "a\n\nb";
        zero_width_is_not_blank, Document, "a\n\u{200B}\n\u{FEFF}\nb";
        trailing_blanks_stay, Document, "a  \nb\t\n\n\nc" => "a  \nb\t\n\nc";
        ends_are_trimmed, Document, "\n \n  a \n \n" => "a";
        indentation_stays_inside, Section, "a\n\n\n\tb" => "a\n\n\tb";
        carriage_return_is_no_line_end, Document, "a\r====\rb";
    }
}

mod separators {
    use super::*;

    clean! {
        gain_empty_lines, Document, "a\n====\nb" => "a\n\n====\n\nb";
        replace_blank_lines_by_empty_ones, Document, "a\n \n====\n\t\nb" => "a\n\n====\n\nb";
        keep_length_and_trailing_blanks, Document, "a\n\n======= \n\n====\n\nb" => "a\n\n======= \n\nb";
        three_are_text, Document, "a\n===\nb";
        indented_are_text, Document, "a\n ====\nb";
        inside_a_line_are_text, Document, "a ====\n====b\n==== ====\nc";
        go_at_the_start, Document, "====\n\na" => "a";
        go_at_the_end, Document, "a\n\n====  \n" => "a";
        go_alone, Document, "====\n====" => "";
        fold_however_many, Document, "a\n====\n====\n\n====\n \n====\nb" => "a\n\n====\n\nb";
        fold_over_bare_headings, Document, "a\n====\n##\n====\nb" => "a\n\n====\n\nb";
        hold_the_last_line_of_a_section, Document, "a  \n\n====\n\n====" => "a";
        at_the_start_indentation_counts_for_nothing, Document, "  ====\n\t=====\n  a" => "a";
        under_a_title_are_separators, Document, "Title\n=====\nb" => "Title\n\n=====\n\nb";
        of_a_section_are_text, Section, "Title\n====\nb\n\n====\n====";
        of_a_section_stay_at_the_ends, Section, "====\na\n====";
        beside_a_token, Document, "a\n====\n⟨0⟩" => "a\n\n====\n\n⟨0⟩";
        fold_over_empty_marks, Document, "a\n\n====\n\n∅\n\n====∅\n\nb" => "a\n\n====\n\nb";
        marks_have_no_width_in_them, Document, "a\n∅==∅==∅\nb" => "a\n\n====\n\nb";
        a_token_makes_it_text, Document, "a\n====⟨0⟩\n⟨0⟩====\nb";
    }
}

mod bare_headings {
    use super::*;

    clean! {
        go, Document, "a\n##\nb" => "a\nb";
        go_in_sections, Section, "a\n\n## \t\n\nb" => "a\n\nb";
        go_alone, Document, "##\n##" => "";
        leave_a_single_blank_line_as_it_is, Document, "a\n##\n \n##\nb" => "a\n \nb";
        go_at_the_start_with_indentation, Document, "##\n  ##\na" => "a";
        indented_ones_stay, Document, "a\n ##\nb";
        other_depths_stay, Document, "#\n\n### \n\n######";
        with_an_empty_title, Document, "a\n\n##∅ ∅\n\nb" => "a\n\nb";
        with_a_token, Document, "a\n## ⟨0⟩\nb";
    }
}

mod emptied_headings {
    use super::*;

    clean! {
        go, Section, "# B\n\n∅" => "";
        go_with_the_blank_lines_around, Document, "a\n\n# B\n\n∅\n\n# C\n\nc" => "a\n\n# C\n\nc";
        go_between_separators, Document, "a\n====\n## B\n∅\n====\nc" => "a\n\n====\n\nc";
        go_at_any_depth_up_to_six, Section, "###### B\n∅" => "";
        seven_is_text, Section, "####### B\n∅" => "####### B";
        without_a_blank_is_text, Section, "#B\n∅" => "#B";
        indented_is_text, Section, "a\n # B\n∅" => "a\n # B";
        indented_under_an_open_heading_is_text, Section, "# A\n # B\n∅" => "# A\n # B";
        indented_under_an_emptied_heading_is_text, Section, "# A\n∅\n # B\n∅" => "# A\n\n # B";
        text_before_an_emptied_one_keeps_the_heading, Section, "# A\n\ntext\n\n## B\n∅" => "# A\n\ntext";
        a_list_before_an_emptied_one_keeps_the_heading, Section, "# A\n- a\n## B\n∅\n# C\nc" => "# A\n- a\n\n# C\nc";
        a_token_before_an_emptied_one_keeps_the_heading, Section, "# A\n⟨0⟩\n## B\n∅" => "# A\n⟨0⟩";
        a_fence_before_an_emptied_one_keeps_the_heading, Section, "# A\n```\n```\n## B\n∅" => "# A\n```\n```";
        text_before_an_emptied_one_keeps_all_headings, Section, "# A\n## B\ntext\n### C\n∅" => "# A\n## B\ntext";
        at_the_start_indentation_counts_for_nothing, Section, "  # B\n∅" => "";
        a_token_before_it_makes_it_text, Section, "⟨0⟩# B\n∅" => "⟨0⟩# B";
        stay_without_placeholders, Document, "# A\n\n# B\n\n∅" => "# A";
        stay_with_text, Section, "# A\n∅\nb" => "# A\n\nb";
        stay_with_text_beside_the_mark, Section, "# A\n\nb: ∅." => "# A\n\nb: .";
        stay_with_a_token, Section, "# A\n\n∅⟨0⟩" => "# A\n\n⟨0⟩";
        stay_with_a_guarded_block, Section, "# A\n∅\n```\n```" => "# A\n\n```\n```";
        marks_in_the_line_do_not_count, Section, "# A ∅\n\n## B∅" => "# A \n\n## B";
        an_empty_title_does_not_save_it, Section, "# ∅\n\n∅" => "";
        a_mark_before_a_heading_is_above_it, Section, "# A\n∅# B\n\nb" => "# B\n\nb";
        a_mark_before_a_separator_is_above_it, Document, "# A\n∅====\nb" => "b";
        a_mark_behind_a_separator_is_nowhere, Document, "# A\n====∅\nb" => "# A\n\n====\n\nb";
        take_the_outer_one_along, Section, "# A\n\n## B\n\n∅\n\n### C\n∅" => "";
        go_below_an_outer_one_with_text, Section, "# A\n\na\n\n## B\n∅\n## C\n\nc" => "# A\n\na\n\n## C\n\nc";
        go_before_text_of_the_outer_one, Section, "# A\n## B\n∅\n# C\nc" => "# C\nc";
        one_that_stays_is_text, Section, "# A\n∅\n## B" => "# A\n\n## B";
        one_that_stays_keeps_all_outer_ones, Section, "# A\n∅\n## B\n∅\n### C\n## D\n∅" => "# A\n\n## B\n\n### C";
        marks_in_a_nested_line_do_not_count, Section, "# A\n## B ∅" => "# A\n## B";
        skipped_levels, Section, "# A\n### B\n∅\n## C\n∅" => "";
        a_deeper_one_first, Section, "### A\n∅\n# B\n\nb" => "# B\n\nb";
        a_bare_one_is_no_text, Section, "# A\n##\n∅\n##" => "";
        a_bare_one_ends_no_block, Section, "## A\n∅\n##\nb" => "## A\n\nb";
        marks_of_a_bare_one_do_not_count, Section, "# A\n##∅" => "# A";
        equals_signs_of_a_section_are_text, Section, "# A\n∅\n====" => "# A\n\n====";
        the_next_line_becomes_the_first, Document, "# A\n∅\n====\n  ##\n  # B\n∅\n====\n  c" => "c";
        in_code_are_code, Section, "```\n# B\n∅\n```" => "```\n# B\n\n```";
        finished_text_has_no_marks, Document, "# A\n\n## B\n\n====\n\n# C";
    }

    #[test]
    fn marks_go_wherever_they_stand() {
        check(Section, "∅a∅\n∅\n `∅`\n```∅\n\n\n∅\n```", "a\n\n ``\n```\n\n\n\n```");
    }
}

mod fences {
    use super::*;

    clean! {
        are_guarded, Document, "a\n```\n##\n\n\n====\n====\n```\nb";
        of_tildes, Document, "~~~ a`b\n\n\n~~~";
        at_any_indentation, Document, "- a\n\n\t    ```\n\n\n  ```";
        need_three, Document, "``\na\n\n\nb\n``" => "``\na\n\nb\n``";
        end_with_a_run_as_long, Document, "````\n```\n\n\n`````\n\n\na" => "````\n```\n\n\n`````\n\na";
        end_with_their_own_character, Document, "```\n~~~\n\n\n```\n\n\na" => "```\n~~~\n\n\n```\n\na";
        end_with_a_bare_run, Document, "```\n```x\n\n\n``` \n\n\na" => "```\n```x\n\n\n``` \n\na";
        info_has_no_backtick, Document, "```x`\n\n\na" => "```x`\n\na";
        inside_a_quote_are_text, Document, "> ```\n\n\na" => "> ```\n\na";
        unclosed_reach_to_the_end, Document, "a\n```\n##\n\n\n====\n\n" => "a\n```\n##\n\n\n====";
        behind_a_token_are_text, Document, "⟨0⟩```\n\n\na" => "⟨0⟩```\n\na";
        may_hold_marks, Document, "`∅``\n\n\n```∅\n\n\na" => "```\n\n\n```\n\na";
        lose_outer_blanks, Document, "  ```\n  a\n  ``` \n" => "```\n  a\n  ```";
        make_a_section, Document, "a\n====\n```\n```\n====\nb" => "a\n\n====\n\n```\n```\n\n====\n\nb";
    }
}

mod diff_blocks {
    use super::*;

    clean! {
        of_dashes, Document, "------- SEARCH\n##\n\n\n=======\n====\n+++++++ REPLACE";
        of_angles, Document, "<<<<<<< HEAD\na\n||||||| base\n\n\n=======\nb\n>>>>>>> topic";
        of_words, Document, "SEARCH\n\n\n=======\n##\nREPLACE";
        of_bare_runs, Document, "-------\n\n\n=======\n##\n+++++++";
        of_longer_runs, Document, "--------- a\n##\n========\n+++++++++++ b";
        of_shorter_runs_are_none, Document, "------ a\n##\n=======\n+++++++" => "------ a\n\n=======\n\n+++++++";
        at_any_indentation, Document, "a\n  ------- SEARCH\n##\n\t=======\n  +++++++ REPLACE";
        with_a_token_as_label, Document, "<<<<<<< ⟨0⟩\n##\n=======\n>>>>>>> ⟨1⟩";
        with_a_token_in_the_run_are_none, Section, "<<<<<<<⟨0⟩\n##\n=======\n>>>>>>>" => "<<<<<<<⟨0⟩\n=======\n>>>>>>>";
        with_marks_in_the_run, Section, "<<<∅<<<<∅\n##\n=====∅==\n>>>>>>>∅" => "<<<<<<<\n##\n=======\n>>>>>>>";
        two_in_a_row, Document, "-------\n##\n=======\n+++++++\n-------\n##\n=======\n+++++++";
        empty_sides, Document, "------- SEARCH\n=======\n+++++++ REPLACE";
        lose_outer_blanks, Document, "  -------\n##\n=======\n+++++++ \n" => "-------\n##\n=======\n+++++++";
        unclosed_are_none, Document, "<<<<<<< HEAD\n##\n=======\na" => "<<<<<<< HEAD\n\n=======\n\na";
        without_a_middle_are_none, Document, "-------\n##\n======\n+++++++" => "-------\n\n======\n\n+++++++";
        middle_stands_alone, Section, "-------\n##\n======= a\n+++++++" => "-------\n======= a\n+++++++";
        crossed_are_none, Document, "------- a\n##\n=======\n>>>>>>> b" => "------- a\n\n=======\n\n>>>>>>> b";
        words_stand_alone, Section, "SEARCHING\n##\n=======\nREPLACE it" => "SEARCHING\n=======\nREPLACE it";
        a_bare_run_does_not_cancel_a_label, Document, "------- SEARCH\n##\nTitle\n-------\nold\n=======\nnew\n+++++++ REPLACE";
        a_word_does_not_cancel_a_label, Document, "------- SEARCH\n##\nSEARCH\n=======\n+++++++ REPLACE";
        a_bare_run_does_not_cancel_a_word, Document, "SEARCH\n##\n-------\n=======\nREPLACE";
        a_label_cancels_a_label, Section, "------- a\n##\n<<<<<<< b\n##\n=======\n>>>>>>>" => "------- a\n<<<<<<< b\n##\n=======\n>>>>>>>";
        a_label_cancels_a_bare_run, Section, "-------\n##\n------- a\n##\n=======\n+++++++" => "-------\n------- a\n##\n=======\n+++++++";
        a_bare_run_cancels_a_bare_run, Section, "-------\n##\n<<<<<<<\n##\n=======\n>>>>>>>" => "-------\n<<<<<<<\n##\n=======\n>>>>>>>";
        a_cancelled_one_stays_cancelled, Section, "------- a\n##\n<<<<<<< b\n=======\n+++++++" => "------- a\n<<<<<<< b\n=======\n+++++++";
        openers_after_the_middle_are_text, Document, "-------\n=======\n------- a\n##\n=======\n+++++++";
        closers_before_the_middle_are_text, Document, "------- a\n+++++++\n>>>>>>> b\n##\n=======\n+++++++";
        foreign_closers_are_text, Document, "------- a\n=======\n>>>>>>>\nREPLACE\n##\n+++++++";
        opened_before_a_fence_win, Document, "-------\n```\n=======\n##\n+++++++\n\n\na" => "-------\n```\n=======\n##\n+++++++\n\na";
        opened_in_a_fence_are_code, Document, "```\n-------\n=======\n```\n##\n+++++++" => "```\n-------\n=======\n```\n+++++++";
        unclosed_before_a_fence_lose, Document, "-------\n##\n```\n##\n=======\n```\n##" => "-------\n```\n##\n=======\n```";
        separators_fold_around_them, Document, "a\n====\n====\n-------\n=======\n+++++++\n====\n=======" => "a\n\n====\n\n-------\n=======\n+++++++";
        // The folded separator was the first middle line: a later one must not do instead.
        a_folded_middle_line, Document, "------- a\n====\n=======\n>>>>>>> b\n##\n=======\n##\n+++++++";
        a_dropped_middle_line, Document, "=======\n------- a\n##\n====\n=======" => "------- a";
    }
}

#[test]
fn a_clean_skeleton_is_not_copied() {
    let text = String::from("a\n\n====\n\n# B\n \n```\n\n\n```\nc");
    let address = text.as_ptr();
    let cleaned = clean_skeleton(text, Document);
    assert_eq!(cleaned.as_ptr(), address);
}
