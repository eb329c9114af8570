using Microsoft.AspNetCore.WebUtilities;
using Microsoft.Extensions.Primitives;
using Microsoft.Net.Http.Headers;
using Transfer.S3;

namespace FormUpload;

/// <summary>Stores the files of a form while it arrives. A file is never held as a whole, neither in memory nor on the disk.</summary>
internal sealed partial class FileForm(ITransferClient client, string bucket, ILogger<FileForm> logger)
{
    private const int MaxFiles = 10;
    private const int MaxBoundaryLength = 70; // RFC 2046, section 5.1.1
    private const int MaxNameLength = 200;
    private const string DefaultType = "application/octet-stream";

    /// <summary>Stores all files of a form, or none. If the sender disconnects, the upload in progress is aborted and leaves nothing.</summary>
    /// <exception cref="BadHttpRequestException">Thrown when the request isn't a form with at least one file, or has too many files.</exception>
    /// <exception cref="InvalidDataException">Thrown when the headers of a section are malformed or too large.</exception>
    /// <exception cref="IOException">Thrown when the form ends before its last boundary.</exception>
    public async Task<IReadOnlyList<StoredFile>> StoreAsync(HttpRequest request)
    {
        CancellationToken aborted = request.HttpContext.RequestAborted;
        MultipartReader reader = new(GetBoundary(request), request.Body) { HeadersCountLimit = 8, HeadersLengthLimit = 4 << 10 };
        List<StoredFile> stored = [];
        try
        {
            while (await reader.ReadNextSectionAsync(aborted) is { } section)
            {
                // Other fields are read over. A browser sends a file without a name if none was chosen.
                if (GetFileName(section) is { } name)
                {
                    stored.Add(stored.Count < MaxFiles ? await StoreAsync(section, name, aborted) : throw new BadHttpRequestException($"A form can have up to {MaxFiles} files."));
                }
            }

            return stored.Count > 0 ? stored : throw new BadHttpRequestException("The form has no file.");
        }
        catch
        {
            await DeleteAsync(stored);
            throw;
        }
    }

    private static string GetBoundary(HttpRequest request)
    {
        if (!MediaTypeHeaderValue.TryParse(request.ContentType, out MediaTypeHeaderValue? type) || !type.MediaType.Equals("multipart/form-data", StringComparison.OrdinalIgnoreCase))
        {
            throw new BadHttpRequestException("The content type must be multipart/form-data.", StatusCodes.Status415UnsupportedMediaType);
        }

        string? boundary = HeaderUtilities.RemoveQuotes(type.Boundary).Value;
        return boundary is { Length: > 0 and <= MaxBoundaryLength } ? boundary : throw new BadHttpRequestException("The content type has no valid boundary.");
    }

    /// <summary>Gets the name of a file without folders and control characters; <see langword="null"/> if the section isn't a file.</summary>
    private static string? GetFileName(MultipartSection section)
    {
        if (!ContentDispositionHeaderValue.TryParse(section.ContentDisposition, out ContentDispositionHeaderValue? disposition) || !disposition.IsFileDisposition())
        {
            return null;
        }

        StringSegment given = StringSegment.IsNullOrEmpty(disposition.FileNameStar) ? disposition.FileName : disposition.FileNameStar;
        string path = HeaderUtilities.RemoveQuotes(given).ToString();
        string name = string.Concat(path[(path.LastIndexOfAny(['/', '\\']) + 1)..].Where(c => !char.IsControl(c)));
        return name.Length == 0 ? null : name[..Math.Min(name.Length, MaxNameLength)];
    }

    private async Task<StoredFile> StoreAsync(MultipartSection section, string name, CancellationToken aborted)
    {
        // The key has nothing of the sender's: a name could replace another file, or lead elsewhere when a program makes a path of it.
        string key = $"samples/forms/{Guid.CreateVersion7():N}";

        // Browsers save the file under its name, and never show it as a page of this site, whatever its type claims to be.
        ContentDispositionHeaderValue disposition = new("attachment");
        disposition.SetHttpFileName(name);
        UploadOptions options = new()
        {
            ContentType = MediaTypeHeaderValue.TryParse(section.ContentType, out MediaTypeHeaderValue? type) ? type.ToString() : DefaultType,
            ContentDisposition = disposition.ToString(),
        };

        // The length of a section isn't known, and the library doesn't need it: what fits into the first part is sent with one request.
        UploadResult result = await client.UploadAsync(section.Body, bucket, key, options, cancellationToken: aborted);
        return new StoredFile(key, name, options.ContentType, result.Statistics.BytesTransferred, result.ETag);
    }

    private async Task DeleteAsync(IEnumerable<StoredFile> files)
    {
        foreach (StoredFile file in files)
        {
            try
            {
                await client.DeleteAsync(bucket, file.Key);
            }
            catch (TransferException e)
            {
                NotDeleted(file.Key, e.Message); // the error of the form matters more to its sender
            }
        }
    }

    [LoggerMessage(1, LogLevel.Warning, "{Key} belongs to a form that has failed, and was not deleted: {Error}")]
    private partial void NotDeleted(string key, string error);
}
