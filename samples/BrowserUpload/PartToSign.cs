namespace BrowserUpload;

/// <summary>A part that the browser wants to send, with the SHA-256 of its content in base64.</summary>
internal sealed record PartToSign(string Ticket, int Number, string Checksum);
