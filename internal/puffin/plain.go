package puffin

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"unicode/utf8"
)

// errNotPlain says that a text is not as plain as it mostly is, whatever that means for it.
var errNotPlain = errors.New("puffin: not plain JSON")

// plain reads the JSON that programs write: strings without escapes, integers without exponents.
//
// It is the fast half of a reader. All that it takes, the decoder takes in the same sense; whatever
// else stands there, a fault too, ends it with errNotPlain, and the text is read again with the decoder,
// which judges and phrases.
type plain struct {
	text  []byte
	at    int
	first bool // an object or an array has just begun: no comma comes before what follows
}

// peek passes white space and gives the byte that follows, which stays the next; 0 at the end.
func (p *plain) peek() byte {
	for ; p.at < len(p.text); p.at++ {
		if c := p.text[p.at]; c > ' ' || c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return c
		}
	}
	return 0
}

// take passes white space and the byte that must follow.
func (p *plain) take(c byte) error {
	if p.peek() != c {
		return errNotPlain
	}
	p.at++
	return nil
}

// begin passes the delimiter that starts an object or an array.
func (p *plain) begin(delimiter byte) error {
	p.first = true
	return p.take(delimiter)
}

// more tells whether an element follows, passing the comma before it, or passes the delimiter that ends
// the object or array.
func (p *plain) more(delimiter byte) (bool, error) {
	first := p.first
	p.first = false
	switch c := p.peek(); {
	case c == delimiter:
		p.at++
		return false, nil
	case first:
		return true, nil
	case c == ',':
		p.at++
		return true, nil
	}
	return false, errNotPlain
}

// name passes a member's name and the colon, or the end of the object.
func (p *plain) name() (name []byte, more bool, err error) {
	if more, err = p.more('}'); !more {
		return nil, false, err
	}
	if name, err = p.string(); err == nil {
		err = p.take(':')
	}
	return name, err == nil, err
}

// string passes a string and gives its text, in place.
func (p *plain) string() ([]byte, error) {
	if err := p.take('"'); err != nil {
		return nil, err
	}
	rest, ascii := p.text[p.at:], true
	for i := ordinary(rest); i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '"':
			p.at += i + 1
			if !ascii && !utf8.Valid(rest[:i]) {
				return nil, errNotPlain
			}
			return rest[:i], nil
		case c < ' ' || c == '\\':
			return nil, errNotPlain
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return nil, errNotPlain
}

// ordinary counts the bytes that a string only has to pass, eight at a time: ASCII, no control characters, none
// that ends a string or an escape begins with.
func ordinary(text []byte) int {
	const (
		each  = 0x0101010101010101
		highs = 0x80 * each
	)
	for i := 0; i+8 <= len(text); i += 8 {
		word := binary.LittleEndian.Uint64(text[i:])
		quote, escape := word^'"'*each, word^'\\'*each
		// The highest bit of a byte: it borrows where it is less than what is taken away. Only bytes above
		// one that did may be wrong.
		found := (word - ' '*each) | (quote - each) | (escape - each) | word
		if found &= highs; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	return len(text) &^ 7
}

// integer passes an integer that any overflow is far from.
func (p *plain) integer(bits int) (int64, error) {
	const mostDigits = 18
	negative := p.peek() == '-'
	if negative {
		p.at++
	}
	start, n := p.at, int64(0)
	for ; p.at < len(p.text) && p.at-start <= mostDigits; p.at++ {
		digit := p.text[p.at] - '0'
		if digit > 9 {
			break
		}
		n = n*10 + int64(digit)
	}
	length := p.at - start
	if length == 0 || length > mostDigits || length > 1 && p.text[start] == '0' || n>>(bits-1) != 0 {
		return 0, errNotPlain
	}
	if negative {
		n = -n
	}
	return n, nil
}

// end proves that nothing follows.
func (p *plain) end() error {
	if p.peek() != 0 || p.at < len(p.text) {
		return errNotPlain
	}
	return nil
}
