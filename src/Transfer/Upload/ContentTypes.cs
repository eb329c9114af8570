using System.Collections.Frozen;

namespace Transfer.S3.Upload;

/// <summary>Maps the extensions of file names to media types.</summary>
internal static class ContentTypes
{
    private static readonly FrozenDictionary<string, string> ByExtension = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase)
    {
        [".avif"] = "image/avif",
        [".bmp"] = "image/bmp",
        [".css"] = "text/css",
        [".csv"] = "text/csv",
        [".gif"] = "image/gif",
        [".gz"] = "application/gzip",
        [".htm"] = "text/html",
        [".html"] = "text/html",
        [".ico"] = "image/vnd.microsoft.icon",
        [".jpeg"] = "image/jpeg",
        [".jpg"] = "image/jpeg",
        [".js"] = "text/javascript",
        [".json"] = "application/json",
        [".md"] = "text/markdown",
        [".mjs"] = "text/javascript",
        [".mp3"] = "audio/mpeg",
        [".mp4"] = "video/mp4",
        [".ogg"] = "audio/ogg",
        [".parquet"] = "application/vnd.apache.parquet",
        [".pdf"] = "application/pdf",
        [".png"] = "image/png",
        [".svg"] = "image/svg+xml",
        [".tar"] = "application/x-tar",
        [".tif"] = "image/tiff",
        [".tiff"] = "image/tiff",
        [".txt"] = "text/plain",
        [".wasm"] = "application/wasm",
        [".wav"] = "audio/wav",
        [".webm"] = "video/webm",
        [".webp"] = "image/webp",
        [".woff"] = "font/woff",
        [".woff2"] = "font/woff2",
        [".xml"] = "application/xml",
        [".yaml"] = "application/yaml",
        [".yml"] = "application/yaml",
        [".zip"] = "application/zip",
        [".zst"] = "application/zstd",
    }.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase);

    /// <returns>Null if the name has no extension or an unknown one.</returns>
    public static string? Guess(string name) => ByExtension.GetValueOrDefault(Path.GetExtension(name));
}
