namespace BrowserUpload;

/// <summary>The file that a browser wants to upload.</summary>
internal sealed record NewUpload(string Name, long Size);

/// <summary>An upload as the browser knows it. Only the server can read the ticket.</summary>
internal sealed record TicketOnly(string Ticket);

/// <summary>A part that the browser wants to send, with the SHA-256 of its content in base64.</summary>
internal sealed record PartToSign(string Ticket, int Number, string Checksum);

/// <summary>The upload, and the parts that the store doesn't have yet.</summary>
internal sealed record PartsToSend(string Ticket, IReadOnlyList<PartRange> Parts);

/// <summary>The bytes of one part.</summary>
internal sealed record PartRange(int Number, long Offset, long Length);

/// <summary>The request that sends one part.</summary>
internal sealed record SignedPart(Uri Url, IReadOnlyDictionary<string, string> Headers);

/// <summary>The object that was published, and a URL that reads it for some minutes.</summary>
internal sealed record Published(string Key, bool IsVerified, string? Checksum, Uri Url);
