namespace BrowserUpload;

/// <summary>The object that was published, and a URL that reads it for some minutes.</summary>
internal sealed record Published(string Key, bool IsVerified, string? Checksum, Uri Url);
