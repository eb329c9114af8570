namespace BrowserUpload;

/// <summary>The upload, and the parts that the store doesn't have yet.</summary>
internal sealed record PartsToSend(string Ticket, IReadOnlyList<PartRange> Parts);
