namespace BrowserUpload;

/// <summary>The bytes of one part.</summary>
internal sealed record PartRange(int Number, long Offset, long Length);
