using System.Collections;
using System.Net;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization;
using Transfer.S3.Server;

namespace Transfer.S3.Tests;

/// <summary>What the libraries return can be serialized with the defaults of System.Text.Json, and a choice is a name.</summary>
public sealed partial class ResultJsonTests
{
    private static readonly Assembly[] Libraries = [.. new[] { typeof(TransferClient), typeof(TransferJob), typeof(EmbeddedS3Server) }.Select(type => type.Assembly)];

    public static TheoryData<Type> Results =>
    [
        .. Libraries.SelectMany(library => library.GetExportedTypes())
            .Where(type => type.GetMethod("PrintMembers", BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.DeclaredOnly) is not null)
            .Where(type => !type.Name.EndsWith("Options", StringComparison.Ordinal)),
    ];

    public static TheoryData<Type> Choices => [.. Libraries.SelectMany(library => library.GetExportedTypes()).Where(type => type.IsEnum)];

    [Theory]
    [MemberData(nameof(Choices))]
    public void Choice_IsName(Type type)
    {
        object value = Enum.GetValues(type).GetValue(0)!;

        Assert.Equal($"\"{value}\"", JsonSerializer.Serialize(value, type));
        Assert.Equal(value, JsonSerializer.Deserialize($"\"{value}\"", type));
    }

    [Theory]
    [MemberData(nameof(Results))]
    public void Result_HasAllPropertiesAndNames(Type type)
    {
        object result = Create(type)!;

        AssertSame(result, JsonSerializer.SerializeToElement(result, type));
    }

    [Fact]
    public void Result_SourceGenerated_IsTheSame()
    {
        DirectoryResult result = (DirectoryResult)Create(typeof(DirectoryResult))!;

        Assert.Equal(JsonSerializer.Serialize(result), JsonSerializer.Serialize(result, ResultJson.Default.DirectoryResult));
    }

    [Fact]
    public void Error_OfTransfer_HasWhatIdentifiesTheRequest()
    {
        Outcome outcome = new() { Status = OutcomeStatus.Failed, Name = "a", Bytes = 0, Error = CreateError() };

        JsonElement error = JsonSerializer.SerializeToElement(outcome, JsonSerializerOptions.Web).GetProperty("error");

        Assert.Equal("""{"type":"TransferException","message":"No access","error":"AccessDenied","bucket":"bucket","key":"a","statusCode":403,"requestId":"1"}""", error.GetRawText());
    }

    [Fact]
    public void Error_OfAnotherKind_HasTypeAndMessage()
    {
        Outcome outcome = new() { Status = OutcomeStatus.Failed, Name = "a", Bytes = 0, Error = new IOException("full") };

        Assert.Equal("""{"Type":"IOException","Message":"full"}""", JsonSerializer.SerializeToElement(outcome).GetProperty("Error").GetRawText());
    }

    private static void AssertSame(object value, JsonElement element)
    {
        switch (value)
        {
            case Enum when Libraries.Contains(value.GetType().Assembly):
                Assert.Equal(value.ToString(), element.GetString());
                break;
            case string or Exception or ValueType when value.GetType().Assembly is var assembly && !Libraries.Contains(assembly):
                Assert.NotEqual(JsonValueKind.Null, element.ValueKind);
                break;
            case Exception:
                Assert.Equal(JsonValueKind.Object, element.ValueKind);
                break;
            case IDictionary or IEnumerable:
                Assert.NotEqual(0, element.ValueKind == JsonValueKind.Array ? element.GetArrayLength() : element.GetPropertyCount());
                break;
            default:
                foreach (PropertyInfo property in GetProperties(value.GetType()))
                {
                    if (property.GetValue(value) is { } part)
                    {
                        AssertSame(part, element.GetProperty(property.Name));
                    }
                }

                break;
        }
    }

    private static IEnumerable<PropertyInfo> GetProperties(Type type)
        => type.GetProperties(BindingFlags.Instance | BindingFlags.Public).Where(property => property.GetCustomAttribute<JsonIgnoreAttribute>() is null && property.GetIndexParameters().Length == 0);

    /// <summary>Creates a value whose properties all have one.</summary>
    private static object? Create(Type type)
    {
        type = Nullable.GetUnderlyingType(type) ?? type;
        if (type.IsEnum)
        {
            return Enum.GetValues(type).GetValue(0);
        }

        if (type == typeof(string))
        {
            return "text";
        }

        if (typeof(Exception).IsAssignableFrom(type))
        {
            return CreateError();
        }

        if (type.IsGenericType && type.GetInterfaces().Append(type).Any(one => one.IsGenericType && one.GetGenericTypeDefinition() == typeof(IReadOnlyDictionary<,>)))
        {
            Type[] arguments = type.GetGenericArguments();
            IDictionary dictionary = (IDictionary)Activator.CreateInstance(typeof(Dictionary<,>).MakeGenericType(arguments))!;
            dictionary.Add(Create(arguments[0])!, Create(arguments[1]));
            return dictionary;
        }

        if (type.IsGenericType && typeof(IEnumerable).IsAssignableFrom(type))
        {
            Array array = Array.CreateInstance(type.GetGenericArguments()[0], 1);
            array.SetValue(Create(array.GetType().GetElementType()!), 0);
            return array;
        }

        if (!Libraries.Contains(type.Assembly))
        {
            return type.IsValueType ? Activator.CreateInstance(type) : null;
        }

        object value = RuntimeHelpers.GetUninitializedObject(type);
        foreach (PropertyInfo property in GetProperties(type).Where(property => property.SetMethod is not null))
        {
            property.SetValue(value, Create(property.PropertyType));
        }

        return value;
    }

    /// <summary>Gets an error that was thrown: it has a stack trace and a method, which a serializer can't write.</summary>
    private static TransferException CreateError()
    {
        try
        {
            throw new TransferException("No access") { Error = TransferError.AccessDenied, Bucket = "bucket", Key = "a", StatusCode = HttpStatusCode.Forbidden, RequestId = "1" };
        }
        catch (TransferException e)
        {
            return e;
        }
    }

    /// <summary>What a program without reflection writes.</summary>
    [JsonSerializable(typeof(DirectoryResult))]
    [JsonSerializable(typeof(UploadResult))]
    [JsonSerializable(typeof(DownloadResult))]
    [JsonSerializable(typeof(AbortUploadsResult))]
    private sealed partial class ResultJson : JsonSerializerContext;
}
