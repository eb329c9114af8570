namespace BrowserUpload;

/// <summary>The file that a browser wants to upload.</summary>
internal sealed record NewUpload(string Name, long Size);
