using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Xml.Linq;
using Microsoft.Build.Framework;
using Microsoft.Build.Utilities;

/// <summary>
/// Copies the documentation file of an assembly without the members that can't be used outside of the assembly. Package.targets compiles it during a pack, for .NET Standard 2.0.
/// </summary>
public sealed class KeepPublicDocumentation : Task
{
    private const BindingFlags Declared = BindingFlags.DeclaredOnly | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static;

    [Required]
    public string AssemblyPath { get; set; }

    [Required]
    public ITaskItem[] References { get; set; }

    [Required]
    public string DocumentationPath { get; set; }

    [Required]
    public string OutputPath { get; set; }

    [Required]
    public string ToolsPath { get; set; }

    public override bool Execute()
    {
        HashSet<string> ids = ReadPublicIds();
        XDocument document = XDocument.Load(DocumentationPath, LoadOptions.PreserveWhitespace);
        foreach (XElement member in document.Descendants("member").Where(member => !ids.Contains((string)member.Attribute("name"))).ToList())
        {
            if (member.PreviousNode is XText indentation)
            {
                indentation.Remove();
            }

            member.Remove();
        }

        Directory.CreateDirectory(Path.GetDirectoryName(OutputPath));
        using StreamWriter writer = new StreamWriter(OutputPath); // without a byte order mark, as the compiler writes it
        document.Save(writer, SaveOptions.DisableFormatting);
        return true;
    }

    /// <summary>Reads metadata only: the assembly may need a newer runtime than this process has. MSBuild ships the library for it, but a task that is compiled from source can't refer to that.</summary>
    private HashSet<string> ReadPublicIds()
    {
        Assembly library = Assembly.LoadFrom(Path.Combine(ToolsPath, "System.Reflection.MetadataLoadContext.dll"));
        IEnumerable<string> paths = References.Select(reference => reference.GetMetadata("FullPath")).Append(AssemblyPath).ToList();
        object resolver = Activator.CreateInstance(library.GetType("System.Reflection.PathAssemblyResolver", throwOnError: true), paths);
        using IDisposable context = (IDisposable)Activator.CreateInstance(library.GetType("System.Reflection.MetadataLoadContext", throwOnError: true), resolver, "System.Runtime");
        Assembly assembly = (Assembly)context.GetType().GetMethod("LoadFromAssemblyPath").Invoke(context, new object[] { AssemblyPath });
        return new HashSet<string>(assembly.GetTypes().Where(IsVisible).SelectMany(type => type.GetMembers(Declared).Where(IsVisible).Select(Id).Prepend($"T:{Name(type)}")));
    }

    private static bool IsVisible(Type type) => type.IsPublic || ((type.IsNestedPublic || type.IsNestedFamily || type.IsNestedFamORAssem) && IsVisible(type.DeclaringType));

    private static bool IsVisible(MemberInfo member) => member switch
    {
        MethodBase method => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly,
        FieldInfo field => field.IsPublic || field.IsFamily || field.IsFamilyOrAssembly,
        PropertyInfo property => property.GetAccessors(nonPublic: true).Any(IsVisible),
        EventInfo declared => IsVisible(declared.GetAddMethod(nonPublic: true)),
        _ => false, // A nested type is in the list of types.
    };

    private static string Id(MemberInfo member)
    {
        string name = $"{Name(member.DeclaringType)}.{member.Name.Replace('.', '#')}";
        return member switch
        {
            MethodInfo method => $"M:{name}{(method.IsGenericMethod ? $"``{method.GetGenericArguments().Length}" : "")}{Parameters(method.GetParameters())}{(method.Name is "op_Implicit" or "op_Explicit" ? $"~{Reference(method.ReturnType)}" : "")}",
            ConstructorInfo constructor => $"M:{name}{Parameters(constructor.GetParameters())}",
            PropertyInfo property => $"P:{name}{Parameters(property.GetIndexParameters())}",
            EventInfo => $"E:{name}",
            _ => $"F:{name}",
        };
    }

    private static string Parameters(ParameterInfo[] parameters) => parameters.Length == 0 ? "" : $"({string.Join(",", parameters.Select(parameter => Reference(parameter.ParameterType)))})";

    private static string Name(Type type) => type.FullName.Replace('+', '.');

    /// <summary>How an identifier names the type of a parameter.</summary>
    private static string Reference(Type type)
    {
        if (type.IsByRef)
        {
            return $"{Reference(type.GetElementType())}@";
        }

        if (type.IsPointer)
        {
            return $"{Reference(type.GetElementType())}*";
        }

        if (type.IsArray)
        {
            int rank = type.GetArrayRank();
            return $"{Reference(type.GetElementType())}[{(rank == 1 ? "" : string.Join(",", Enumerable.Repeat("0:", rank)))}]";
        }

        if (type.IsGenericParameter)
        {
            return $"{(type.DeclaringMethod is null ? "`" : "``")}{type.GenericParameterPosition}";
        }

        if (!type.IsGenericType)
        {
            return Name(type);
        }

        // Each of the nested types has the arguments that it adds to those around it.
        Queue<Type> arguments = new Queue<Type>(type.GetGenericArguments());
        return string.Join(".", type.GetGenericTypeDefinition().FullName.Split('+').Select(part =>
        {
            string[] nameAndCount = part.Split('`');
            return nameAndCount.Length == 1 ? part : $"{nameAndCount[0]}{{{string.Join(",", Enumerable.Range(0, int.Parse(nameAndCount[1])).Select(_ => Reference(arguments.Dequeue())))}}}";
        }));
    }
}
