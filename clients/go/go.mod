module atelier/clients/go

go 1.24
