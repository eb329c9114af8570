namespace BrowserUpload;

/// <summary>An upload as the browser knows it. Only the server can read the ticket.</summary>
internal sealed record TicketOnly(string Ticket);
