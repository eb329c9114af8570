using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Transfer.S3.Server.Storage.Folder;

/// <summary>Reads and writes record files.</summary>
internal static class RecordFile
{
    /// <summary>The schema version that is written. No other version can be read.</summary>
    public const int Schema = 1;

    public static T Read<T>(string path, JsonTypeInfo<T> type)
        where T : class, IRecord => Parse(File.ReadAllBytes(path), path, type);

    /// <exception cref="InvalidDataException">Thrown when the content isn't a valid record of this schema version.</exception>
    public static T Parse<T>(ReadOnlySpan<byte> content, string path, JsonTypeInfo<T> type)
        where T : class, IRecord
    {
        try
        {
            T record = JsonSerializer.Deserialize(content, type) ?? throw new InvalidDataException($"{path} is empty.");
            return record.Schema != Schema ? throw new InvalidDataException($"{path} has schema {record.Schema}; this version reads schema {Schema}.")
                : record.IsSound() ? record
                : throw new InvalidDataException($"{path} is not a record of this server: a property is missing or invalid.");
        }
        catch (JsonException exception)
        {
            throw new InvalidDataException($"{path} is not a record of this server: {exception.Message}", exception);
        }
    }

    /// <summary>Writes a record to the staging directory.</summary>
    public static async ValueTask<IStagedRecord> StageAsync<T>(
        FolderLayout layout, string target, T record, JsonTypeInfo<T> type, CancellationToken cancellationToken)
    {
        var staged = new StagedFile(layout.NewStagingFile(), target);
        try
        {
            await File.WriteAllBytesAsync(staged.Path, JsonSerializer.SerializeToUtf8Bytes(record, type), cancellationToken).ConfigureAwait(false);
            return staged;
        }
        catch
        {
            staged.Dispose();
            throw;
        }
    }

    public static void Write<T>(FolderLayout layout, string target, T record, JsonTypeInfo<T> type)
    {
        using var staged = new StagedFile(layout.NewStagingFile(), target);
        File.WriteAllBytes(staged.Path, JsonSerializer.SerializeToUtf8Bytes(record, type));
        staged.Publish();
    }
}
