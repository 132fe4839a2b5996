// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace summand::testing {

/// The first mistake in a small part of XML (elements, quoted attributes, text, entities; no comments, no doctype), with
/// what stands there; empty if the text is well-formed with one root.
class XmlCheck {
  public:
    explicit XmlCheck(std::string_view text) : text_(text) {}

    std::string problem() {
        skip_space();
        if (peek() != '<') return fail("no root element");
        while (at_ < text_.size() && error_.empty()) {
            if (peek() == '<')
                tag();
            else
                character();
            if (open_.empty()) break;
        }
        skip_space();
        if (error_.empty() && !open_.empty()) fail("<" + open_.back() + "> is never closed");
        if (error_.empty() && at_ < text_.size()) fail("text after the root element");
        return error_;
    }

  private:
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip_space() {
        while (std::isspace(static_cast<unsigned char>(peek()))) ++at_;
    }
    std::string fail(const std::string& what) {
        if (error_.empty()) error_ = what + " near: " + std::string(text_.substr(at_ > 40 ? at_ - 40 : 0, 80));
        return error_;
    }
    std::string name() {
        const std::size_t from = at_;
        while (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '-' || peek() == ':' || peek() == '_')
            ++at_;
        if (at_ == from) fail("a name is missing");
        return std::string(text_.substr(from, at_ - from));
    }
    void character() {
        if (peek() == '&') {
            const std::size_t end = text_.find(';', at_);
            const std::string_view entity = end == text_.npos ? "" : text_.substr(at_, end - at_ + 1);
            for (const std::string_view known : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"})
                if (entity == known) return static_cast<void>(at_ = end + 1);
            fail("an unknown entity");
        }
        ++at_;
    }
    void attribute() {
        const std::string given = name();
        for (const std::string& other : attributes_)
            if (given == other) return static_cast<void>(fail("attribute " + given + " twice"));
        attributes_.push_back(given);
        if (peek() != '=') return static_cast<void>(fail("= is missing"));
        ++at_;
        if (peek() != '"') return static_cast<void>(fail("a quote is missing"));
        for (++at_; peek() != '"' && error_.empty();) {
            if (at_ >= text_.size() || peek() == '<') return static_cast<void>(fail("a quote is never closed"));
            character();
        }
        ++at_;
    }
    void tag() {
        ++at_;
        if (peek() == '/') {
            ++at_;
            const std::string closed = name();
            if (open_.empty() || open_.back() != closed)
                return static_cast<void>(fail("</" + closed + "> closes nothing"));
            open_.pop_back();
        } else {
            open_.push_back(name());
            attributes_.clear();
            for (skip_space(); error_.empty() && peek() != '>' && peek() != '/'; skip_space()) attribute();
            if (peek() == '/') ++at_, open_.pop_back();
        }
        if (peek() != '>') fail("> is missing");
        ++at_;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<std::string> open_ = {}, attributes_ = {};
    std::string error_ = {};
};

inline std::string xml_problem(std::string_view text) {
    return XmlCheck(text).problem();
}

/// How often a piece of text occurs.
inline int count_of(std::string_view text, std::string_view piece) {
    int count = 0;
    for (std::size_t at = text.find(piece); at != text.npos; at = text.find(piece, at + piece.size())) ++count;
    return count;
}

}  // namespace summand::testing
