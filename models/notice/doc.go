// Package notice holds what people are told: of what concerns them, once, at the
// console and by mail. The areas tell it in the transaction of what happened.
package notice
