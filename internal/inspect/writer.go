package inspect

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// writer appends members in the order of the calls. Encoding by reflection would do the same and
// make the library a quarter larger.
type writer struct{ out []byte }

// open begins an object or a list.
func (w *writer) open(bracket byte) { w.out = append(w.out, bracket) }

func (w *writer) close(bracket byte) { w.out = append(w.out, bracket) }

// next separates what follows from what is before it.
func (w *writer) next() {
	if last := w.out[len(w.out)-1]; last != '{' && last != '[' {
		w.out = append(w.out, ',')
	}
}

// name begins a member. Names are ours, so nothing in them needs an escape.
func (w *writer) name(name string) {
	w.next()
	w.out = append(w.out, '"')
	w.out = append(w.out, name...)
	w.out = append(w.out, '"', ':')
}

func (w *writer) null(name string) {
	w.name(name)
	w.out = append(w.out, "null"...)
}

// object begins a member that is an object, or writes null where there is none.
func (w *writer) object(name string, there bool) bool {
	if !there {
		w.null(name)
		return false
	}
	w.name(name)
	w.open('{')
	return true
}

func (w *writer) number(name string, n int64) {
	w.name(name)
	w.out = strconv.AppendInt(w.out, n, 10)
}

func (w *writer) flag(name string, b bool) {
	w.name(name)
	w.out = strconv.AppendBool(w.out, b)
}

func (w *writer) text(name, text string) {
	w.name(name)
	w.quote(text)
}

// quote writes a text. It is valid UTF-8, or there would be an error.
func (w *writer) quote(text string) { w.out, _ = jsontext.AppendQuote(w.out, text) }

func (w *writer) texts(name string, texts []string) {
	w.name(name)
	w.open('[')
	for _, text := range texts {
		w.next()
		w.quote(text)
	}
	w.close(']')
}

func (w *writer) optionalNumber(name string, n *int64) {
	if n == nil {
		w.null(name)
		return
	}
	w.number(name, *n)
}

func (w *writer) optionalFlag(name string, b *bool) {
	if b == nil {
		w.null(name)
		return
	}
	w.flag(name, *b)
}

func (w *writer) optionalText(name string, text *string) {
	if text == nil {
		w.null(name)
		return
	}
	w.text(name, *text)
}

// list writes a member that is a list of objects.
func list[T any](w *writer, name string, items []T, members func(*writer, *T)) {
	w.name(name)
	w.open('[')
	for i := range items {
		w.next()
		w.open('{')
		members(w, &items[i])
		w.close('}')
	}
	w.close(']')
}
