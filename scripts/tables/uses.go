package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
)

// use is a place of the program that names a table.
type use struct {
	folder   string // the package's, from the root of the module
	within   string // the function, constant or variable around it
	position token.Position
	reference
}

const module = "atelier/"

// uses finds the tables that packages name, outside of tests and of generated
// files.
func uses(root string, patterns ...string) ([]use, error) {
	loaded, err := packages.Load(&packages.Config{
		Dir:  root,
		Mode: packages.NeedName | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedExportFile | packages.NeedFiles,
	}, patterns...)
	if err != nil {
		return nil, err
	}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, p.Errors[0]
		}
	}
	r := reader{rows: rowTypes(loaded)}
	var found []use
	for _, p := range loaded {
		r.Package = p
		for _, file := range p.Syntax {
			if ast.IsGenerated(file) {
				continue
			}
			for _, declaration := range file.Decls {
				found = append(found, r.usesOf(declaration)...)
			}
		}
	}
	return found, nil
}

// reader reads the packages one after another.
type reader struct {
	*packages.Package
	rows map[string]string // the table of each type of row
}

// rowTypes are the types with a method TableName, and what it returns.
func rowTypes(loaded []*packages.Package) map[string]string {
	rows := map[string]string{}
	for _, p := range loaded {
		for _, file := range p.Syntax {
			for _, declaration := range file.Decls {
				method, ok := declaration.(*ast.FuncDecl)
				if !ok || method.Recv == nil || method.Name.Name != "TableName" {
					continue
				}
				result := method.Body.List[0].(*ast.ReturnStmt).Results[0]
				rows[types.TypeString(p.TypesInfo.TypeOf(method.Recv.List[0].Type), nil)] = constant.StringVal(p.TypesInfo.Types[result].Value)
			}
		}
	}
	return rows
}

func (p reader) usesOf(declaration ast.Decl) []use {
	var found []use
	within := nameOf(declaration)
	add := func(at ast.Node, references []reference) {
		for _, r := range references {
			found = append(found, use{strings.TrimPrefix(p.PkgPath, module), within, p.Fset.Position(at.Pos()), r})
		}
	}
	ast.Inspect(declaration, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			if _, inFunction := declaration.(*ast.FuncDecl); !inFunction {
				within = n.Names[0].Name
			}
		case *ast.CallExpr:
			if method, ok := p.gormMethod(n); ok {
				if method == "Table" {
					add(n, p.listed(n.Args[0], false))
				}
				add(n, p.models(method, n.Args))
			} else if isSweep(n) {
				add(n, p.listed(n.Args[1], true))
			}
		case *ast.IndexExpr: // models.First[account.User]
			if table := p.tableOf(p.TypesInfo.TypeOf(n.Index)); table != "" && p.isFunction(n.X) {
				add(n, []reference{{table, false}})
			}
		case ast.Expr:
			if text, ok := p.textOf(n); ok {
				add(n, references(text))
				return false
			}
		}
		return true
	})
	return found
}

// textOf is a string as the program writes it, with computed for what it puts
// into it while it runs.
func (p reader) textOf(e ast.Expr) (string, bool) {
	if _, named := e.(*ast.Ident); named {
		return "", false // told of where it is declared
	}
	if _, named := e.(*ast.SelectorExpr); named {
		return "", false
	}
	return p.fold(e)
}

func (p reader) fold(e ast.Expr) (string, bool) {
	sum, ok := e.(*ast.BinaryExpr)
	if !ok || sum.Op != token.ADD {
		value := p.TypesInfo.Types[e].Value
		if value == nil || value.Kind() != constant.String || p.isForeign(e) {
			return "", false
		}
		return constant.StringVal(value), true
	}
	left, ok1 := p.fold(sum.X)
	right, ok2 := p.fold(sum.Y)
	if !ok1 && !ok2 {
		return "", false
	}
	if !ok1 {
		left = computed
	}
	if !ok2 {
		right = computed
	}
	return left + right, true
}

// isForeign tells whether an expression is a constant of another package: a
// fragment that its package answers for.
func (p reader) isForeign(e ast.Expr) bool {
	selector, ok := e.(*ast.SelectorExpr)
	return ok && p.TypesInfo.Uses[selector.Sel].Pkg() != p.Types
}

// listed are the tables that an argument names without a word of SQL before them.
func (p reader) listed(e ast.Expr, writes bool) []reference {
	text, ok := p.fold(e)
	if !ok {
		text = computed
	}
	found := references(strings.Join([]string{"FROM", text}, " "))
	for i := range found {
		found[i].writes = writes
	}
	return found
}

// isSweep tells whether a call is one of DB.SweepRows, whose second argument is a table.
func isSweep(call *ast.CallExpr) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	return ok && selector.Sel.Name == "SweepRows" && len(call.Args) >= 3
}

// gormMethod is the name of the method of gorm that a call calls.
func (p reader) gormMethod(call *ast.CallExpr) (string, bool) {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 {
		return "", false
	}
	method, ok := p.TypesInfo.Uses[selector.Sel].(*types.Func)
	if !ok || method.Pkg() == nil || method.Pkg().Path() != "gorm.io/gorm" {
		return "", false
	}
	return method.Name(), true
}

var writing = map[string]bool{"Create": true, "Delete": true, "Updates": true, "Save": true, "CreateInBatches": true}

// models are the tables of the rows that a method of gorm is given.
func (p reader) models(method string, args []ast.Expr) []reference {
	switch method {
	case "Model", "Create", "CreateInBatches", "First", "Take", "Last", "Find", "Delete", "Save":
		if table := p.tableOf(p.TypesInfo.TypeOf(args[0])); table != "" {
			return []reference{{table, writing[method]}}
		}
	}
	return nil
}

// tableOf is the table of a type that has one: what its TableName returns.
func (p reader) tableOf(t types.Type) string {
	for {
		switch u := t.(type) {
		case *types.Pointer:
			t = u.Elem()
			continue
		case *types.Slice:
			t = u.Elem()
			continue
		case *types.Named:
			return p.rows[types.TypeString(u, nil)]
		}
		return ""
	}
}

func (p reader) isFunction(e ast.Expr) bool {
	_, ok := p.TypesInfo.TypeOf(e).(*types.Signature)
	return ok
}

func nameOf(declaration ast.Decl) string {
	function, ok := declaration.(*ast.FuncDecl)
	if !ok {
		return ""
	}
	return function.Name.Name
}
