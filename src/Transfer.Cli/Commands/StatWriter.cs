using System.Globalization;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Writes the properties of an object, as lines of text or as JSON.</summary>
internal sealed class StatWriter(Invocation invocation)
{
    private const int NameCells = 21;
    private readonly TextWriter _output = invocation.Console.Output;

    public void Object(Location address, ObjectPropertiesJson properties)
    {
        if (invocation.Output.Json)
        {
            CommandRunner.WriteJson(_output, properties, ToolJsonContext.Default.ObjectPropertiesJson);
            return;
        }

        string exact = properties.Size < 1024 ? string.Empty : $" ({Units.Number(properties.Size)} bytes)";
        string? modified = properties.LastModified?.ToLocalTime().ToString("yyyy-MM-dd HH:mm:ss zzz", CultureInfo.InvariantCulture);
        string? checksum = properties.Checksum is { } sum ? $"{sum.Algorithm} {sum.Value}{(sum.Type == "composite" ? " (composite)" : string.Empty)}" : null;
        _output.WriteLine(Printable.Text(address.ToString()));
        Property("Size", ByteSize.Format(properties.Size) + exact);
        Property("Last modified", modified);
        Property("ETag", properties.ETag);
        Property("Version", properties.VersionId);
        Property("Storage class", properties.StorageClass);
        Property("Content type", properties.ContentType);
        Property("Content encoding", properties.ContentEncoding);
        Property("Content language", properties.ContentLanguage);
        Property("Content disposition", properties.ContentDisposition);
        Property("Cache control", properties.CacheControl);
        Property("Expires", properties.Expires);
        Property("Encryption", properties.Encryption);
        Property("Restored", properties.Restore);
        Property("Checksum", checksum);
        Property("Parts", properties.Parts?.ToString(CultureInfo.InvariantCulture));
        Property("Tags", properties.Tags?.ToString(CultureInfo.InvariantCulture));
        foreach ((string name, string value) in properties.Metadata.OrderBy(pair => pair.Key, StringComparer.Ordinal))
        {
            Property("Metadata", $"{name}={value}");
        }
    }

    public void Part(ObjectPartJson part)
    {
        if (invocation.Output.Json)
        {
            CommandRunner.WriteJson(_output, part, ToolJsonContext.Default.ObjectPartJson);
            return;
        }

        string checksum = part.Checksum is { } sum ? $"  {sum.Algorithm} {sum.Value}" : string.Empty;
        Property($"Part {part.Part.ToString(CultureInfo.InvariantCulture)}", ByteSize.Format(part.Size) + checksum);
    }

    /// <summary>Writes a line, unless there is no value. Values come from the store, so they must not control a terminal or look like other lines.</summary>
    private void Property(string name, string? value)
    {
        if (value is not null)
        {
            _output.WriteLine($"  {(name + ":").PadRight(NameCells)} {Printable.Text(value)}");
        }
    }
}
