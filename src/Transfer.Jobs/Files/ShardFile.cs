using System.Security.Cryptography;
using System.Text.Json;
using Transfer.S3.Files;

namespace Transfer.S3.Jobs;

/// <summary>The items of a shard, in a temporary file.</summary>
internal sealed class ShardFile : IDisposable
{
    private const int BufferBytes = 64 * 1024;

    private readonly FileStream _file;

    private ShardFile(FileStream file) => _file = file;

    /// <summary>Reads a file of a plan, and checks that it is the one that was planned.</summary>
    /// <exception cref="TransferException">Thrown when it can't be read, or isn't what was planned.</exception>
    public static async Task<ShardFile> ReadAsync(JobFolder folder, string name, string sha256, CancellationToken cancellationToken)
    {
        FileStream file = TemporaryFile.CreateIn(null, "shard");
        try
        {
            if (!await folder.ReadAsync(name, file, cancellationToken).ConfigureAwait(false))
            {
                throw new TransferException($"{folder.Address} has no '{name}', which its plan needs. Plan the job again in another folder.");
            }

            file.Position = 0;
            byte[] hash = await SHA256.HashDataAsync(file, cancellationToken).ConfigureAwait(false);
            return Convert.ToHexStringLower(hash) == sha256
                ? new ShardFile(file)
                : throw new TransferException($"{folder.Address}: '{name}' is damaged, or was replaced after the job was planned. Plan the job again in another folder.");
        }
        catch
        {
            await file.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Reads the items, in order.</summary>
    public IEnumerable<JobItem> ReadItems() => ReadLines().Select(static line => JsonSerializer.Deserialize(line, JobJson.Default.JobItem)!);

    /// <summary>Reads the lines, in order.</summary>
    public IEnumerable<string> ReadLines()
    {
        _file.Position = 0;
        using StreamReader reader = new(_file, System.Text.Encoding.UTF8, detectEncodingFromByteOrderMarks: false, BufferBytes, leaveOpen: true);
        while (reader.ReadLine() is { } line)
        {
            yield return line;
        }
    }

    public void Dispose() => _file.Dispose();
}
