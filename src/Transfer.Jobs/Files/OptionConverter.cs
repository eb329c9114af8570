using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Transfer.S3.Jobs;

/// <summary>Writes the options of a transfer that don't have their default, and reads them. An option that this version doesn't know is refused.</summary>
/// <remarks>An option that is on by default is written as what the transfer doesn't do, so an option that is absent is off for every version.</remarks>
/// <typeparam name="T">The type of the options.</typeparam>
internal sealed class OptionConverter<T> : JsonConverter<T>
    where T : class, new()
{
    private const string Off = "does_not_";

    private static readonly JsonTypeInfo<T> Contract = (JsonTypeInfo<T>)new JsonSerializerOptions(JobJson.Default.Options)
    {
        DefaultIgnoreCondition = JsonIgnoreCondition.Never,
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    }.GetTypeInfo(typeof(T));

    private static readonly JsonElement Defaults = JsonSerializer.SerializeToElement(new T(), Contract);

    /// <summary>Reads the options over the defaults, because generated code gives properties that are absent the defaults of their types.</summary>
    public override T? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        JsonElement stored = JsonElement.ParseValue(ref reader);
        ArrayBufferWriter<byte> all = new();
        using (Utf8JsonWriter writer = new(all))
        {
            writer.WriteStartObject();
            IEnumerable<JsonProperty> changed = stored.ValueKind == JsonValueKind.Object ? stored.EnumerateObject() : throw new JsonException();
            foreach (JsonProperty option in Defaults.EnumerateObject().Concat(changed))
            {
                if (option.Name.StartsWith(Off, StringComparison.Ordinal))
                {
                    writer.WriteBoolean(option.Name[Off.Length..], option.Value.ValueKind == JsonValueKind.False);
                }
                else
                {
                    option.WriteTo(writer);
                }
            }

            writer.WriteEndObject();
        }

        return JsonSerializer.Deserialize(all.WrittenSpan, Contract);
    }

    public override void Write(Utf8JsonWriter writer, T value, JsonSerializerOptions options)
    {
        writer.WriteStartObject();
        foreach (JsonProperty option in JsonSerializer.SerializeToElement(value, Contract).EnumerateObject())
        {
            JsonElement usual = Defaults.GetProperty(option.Name);
            if (usual.ValueKind == JsonValueKind.True && option.Value.ValueKind == JsonValueKind.False)
            {
                writer.WriteBoolean(Off + option.Name, true);
            }
            else if (!JsonElement.DeepEquals(option.Value, usual))
            {
                option.WriteTo(writer);
            }
        }

        writer.WriteEndObject();
    }
}
