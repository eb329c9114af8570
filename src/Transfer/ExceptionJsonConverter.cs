using System.Text.Json;
using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>Writes an error as JSON: its type, its message and, of a <see cref="TransferException"/>, what identifies the failed request.</summary>
/// <remarks>
/// The errors in results use the converter, because an exception that was thrown can't be serialized in any other way. The names of the properties follow the
/// naming policy of the options. Properties without a value are omitted. Errors can't be read.
/// </remarks>
/// <example>
/// <code>
/// using System.Text.Json;
///
/// DirectoryResult result = await client.UploadDirectoryAsync("photos", "bucket", "photos/", new DirectoryOptions { OnFailure = FailurePolicy.Continue });
/// Console.WriteLine(JsonSerializer.Serialize(result.Failures)); // [{"Status":"Failed", ... "Error":{"Type":"TransferException","Message": ...}}]
///
/// JsonSerializerOptions options = new() { Converters = { new ExceptionJsonConverter() } }; // for errors elsewhere
/// Console.WriteLine(JsonSerializer.Serialize(new { Error = (Exception)new TransferException("The disk is full.") }, options));
/// </code>
/// </example>
public sealed class ExceptionJsonConverter : JsonConverter<Exception>
{
    /// <inheritdoc/>
    public override bool CanConvert(Type typeToConvert) => typeof(Exception).IsAssignableFrom(typeToConvert);

    /// <summary>Throws an exception, because errors can't be read.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="typeToConvert">The type.</param>
    /// <param name="options">The options.</param>
    /// <exception cref="NotSupportedException">Thrown in any case.</exception>
    public override Exception Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        => throw new NotSupportedException("An error can't be read from JSON.");

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, Exception value, JsonSerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(value);
        ArgumentNullException.ThrowIfNull(options);
        writer.WriteStartObject();
        WriteText("Type", value.GetType().Name);
        WriteText("Message", value.Message);
        if (value is TransferException error)
        {
            WriteText(nameof(error.Error), $"{error.Error}");
            WriteText(nameof(error.Bucket), error.Bucket);
            WriteText(nameof(error.Key), error.Key);
            if (error.StatusCode is { } status)
            {
                writer.WriteNumber(GetName(nameof(error.StatusCode)), (int)status);
            }

            WriteText(nameof(error.ErrorCode), error.ErrorCode);
            WriteText(nameof(error.RequestId), error.RequestId);
        }

        writer.WriteEndObject();

        void WriteText(string name, string? text)
        {
            if (text is not null)
            {
                writer.WriteString(GetName(name), text);
            }
        }

        string GetName(string name) => options.PropertyNamingPolicy?.ConvertName(name) ?? name;
    }
}
