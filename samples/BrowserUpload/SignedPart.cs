namespace BrowserUpload;

/// <summary>The request that sends one part.</summary>
internal sealed record SignedPart(Uri Url, IReadOnlyDictionary<string, string> Headers);
