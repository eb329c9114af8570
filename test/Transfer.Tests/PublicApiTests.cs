using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;
using Transfer.S3.Server;
using Transfer.S3.Tests.Documentation;
using Transfer.S3.TransferUtility;

namespace Transfer.S3.Tests;

/// <summary>The public surface of each library is a reviewed file: what is added to it or taken away shows as a change of that file.</summary>
public sealed class PublicApiTests
{
    /// <summary>Set to 1, a run writes the files anew.</summary>
    private const string WriteVariable = "TRANSFER_WRITE_PUBLIC_API";

    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    public static TheoryData<string, Type> Libraries => new()
    {
        { "PublicApi.txt", typeof(TransferClient) },
        { "PublicApi.TransferUtility.txt", typeof(TransferUtilityAdapter) },
        { "PublicApi.Server.txt", typeof(EmbeddedS3Server) },
    };

    [Theory]
    [MemberData(nameof(Libraries))]
    public void PublicMembers_AreThoseOfTheReviewedFile(string file, Type type)
    {
        string path = Path.Combine(MarkdownPages.Root, "test", "Transfer.Tests", file);
        string[] now = [.. Render(type.Assembly)];
        if (Environment.GetEnvironmentVariable(WriteVariable) == "1")
        {
            File.WriteAllText(path, string.Join('\n', now) + "\n");
        }

        string[] reviewed = File.ReadAllLines(path);

        string[] difference = [.. now.Except(reviewed).Select(line => "+ " + line), .. reviewed.Except(now).Select(line => "- " + line)];
        Assert.True(
            difference.Length == 0,
            $"The public surface differs from {file}. If that is meant, run this test with {WriteVariable}=1 and commit the file.{Environment.NewLine}"
            + string.Join(Environment.NewLine, difference));
    }

    private static IEnumerable<string> Render(Assembly assembly)
    {
        foreach (Type type in assembly.GetExportedTypes().OrderBy(type => type.FullName, StringComparer.Ordinal))
        {
            string bases = string.Join(", ", new[] { type.BaseType }.Concat(type.GetInterfaces()).OfType<Type>().Where(b => b != typeof(object)).Select(Name).Order(StringComparer.Ordinal));
            yield return $"{Kind(type)} {type.FullName} : {bases}";
            foreach (string member in type.GetMembers(Declared).Select(Member).OfType<string>().Order(StringComparer.Ordinal))
            {
                yield return $"{type.FullName}.{member}";
            }
        }
    }

    private static string Kind(Type type) => true switch
    {
        _ when type.IsEnum => "enum",
        _ when type.IsInterface => "interface",
        _ when type.IsValueType => "struct",
        _ when type.IsAbstract && type.IsSealed => "static class",
        _ when type.IsSealed => "sealed class",
        _ when type.IsAbstract => "abstract class",
        _ => "class",
    };

    private static string? Member(MemberInfo member) => member switch
    {
        FieldInfo { IsLiteral: true, IsPublic: true } field => $"{field.Name} = {field.GetRawConstantValue()}",
        FieldInfo { IsPublic: true, IsSpecialName: false } field => $"{field.Name} : {Name(field.FieldType)}",
        ConstructorInfo constructor when IsVisible(constructor) => $"new({Parameters(constructor)})",
        MethodInfo { IsSpecialName: false } method when IsVisible(method) && !method.Name.Contains('<', StringComparison.Ordinal)
            => $"{method.Name}({Parameters(method)}) : {Name(method.ReturnType)}",
        PropertyInfo property => Property(property),
        EventInfo { AddMethod: { } add } e when IsVisible(add) => $"event {e.Name} : {Name(e.EventHandlerType!)}",
        _ => null,
    };

    private static string? Property(PropertyInfo property)
    {
        bool get = property.GetMethod is { } getter && IsVisible(getter);
        bool set = property.SetMethod is { } setter && IsVisible(setter);
        bool init = set && property.SetMethod!.ReturnParameter.GetRequiredCustomModifiers().Contains(typeof(IsExternalInit));
        bool required = property.IsDefined(typeof(RequiredMemberAttribute));
        string accessors = (get ? "get; " : string.Empty) + (init ? "init; " : set ? "set; " : string.Empty);
        return get || set ? $"{(required ? "required " : string.Empty)}{property.Name} {{ {accessors}}} : {Name(property.PropertyType)}" : null;
    }

    private static bool IsVisible(MethodBase method) => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly;

    private static string Parameters(MethodBase method) => string.Join(", ", method.GetParameters().Select(
        parameter => $"{Name(parameter.ParameterType)} {parameter.Name}{(parameter.HasDefaultValue ? $" = {parameter.DefaultValue ?? "default"}" : string.Empty)}"));

    private static string Name(Type type)
    {
        if (type.IsByRef)
        {
            return "ref " + Name(type.GetElementType()!);
        }

        if (type.IsArray)
        {
            return Name(type.GetElementType()!) + "[]";
        }

        if (!type.IsGenericType)
        {
            return type.Namespace == typeof(TransferClient).Namespace || type.Namespace == nameof(System) ? type.Name : type.FullName ?? type.Name;
        }

        StringBuilder name = new(type.Name[..type.Name.IndexOf('`', StringComparison.Ordinal)]);
        return name.Append('<').AppendJoin(", ", type.GetGenericArguments().Select(Name)).Append('>').ToString();
    }
}
