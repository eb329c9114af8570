using System.Collections.Immutable;
using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Transfer.S3.Tests;

/// <summary>Reads the full names of the types that a signature or a method body of one assembly references.</summary>
internal sealed class TypeNames(MetadataReader reader) : ISignatureTypeProvider<ImmutableHashSet<string>, object?>
{
    private static readonly Dictionary<int, OperandType> Operands = typeof(OpCodes).GetFields()
        .Select(field => (OpCode)field.GetValue(null)!)
        .ToDictionary(code => code.Value & 0xFFFF, code => code.OperandType);

    /// <summary>Returns the name of a type, or that of the outermost type if it is nested, because its namespace names the folder.</summary>
    public string Of(TypeDefinitionHandle handle)
    {
        TypeDefinition type = reader.GetTypeDefinition(handle);
        return type.GetDeclaringType() is { IsNil: false } outer ? Of(outer) : $"{reader.GetString(type.Namespace)}.{reader.GetString(type.Name)}";
    }

    /// <summary>Returns the name of a type of another assembly, or that of the outermost type if it is nested.</summary>
    public string Of(TypeReferenceHandle handle)
    {
        TypeReference type = reader.GetTypeReference(handle);
        return type.ResolutionScope is { IsNil: false, Kind: HandleKind.TypeReference } outer ? Of((TypeReferenceHandle)outer) : $"{reader.GetString(type.Namespace)}.{reader.GetString(type.Name)}";
    }

    public ImmutableHashSet<string> InBody(MethodBodyBlock body)
    {
        HashSet<string> names = [];
        if (!body.LocalSignature.IsNil)
        {
            names.UnionWith(reader.GetStandaloneSignature(body.LocalSignature).DecodeLocalSignature(this, null).SelectMany(local => local));
        }

        BlobReader il = body.GetILReader();
        while (il.RemainingBytes > 0)
        {
            int code = il.ReadByte();
            code = code == 0xFE ? 0xFE00 | il.ReadByte() : code;
            switch (Operands[code])
            {
                case OperandType.InlineMethod or OperandType.InlineField or OperandType.InlineType or OperandType.InlineTok:
                    names.UnionWith(OfToken(MetadataTokens.EntityHandle(il.ReadInt32())));
                    break;
                case OperandType.InlineSwitch:
                    int targets = il.ReadInt32();
                    il.Offset += targets * sizeof(int);
                    break;
                case OperandType.InlineNone:
                    break;
                case OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar:
                    il.Offset++;
                    break;
                case OperandType.InlineVar:
                    il.Offset += sizeof(short);
                    break;
                case OperandType.InlineI8 or OperandType.InlineR:
                    il.Offset += sizeof(long);
                    break;
                default:
                    il.Offset += sizeof(int);
                    break;
            }
        }

        return [.. names];
    }

    public ImmutableHashSet<string> GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind) => [Of(handle)];

    public ImmutableHashSet<string> GetTypeFromSpecification(MetadataReader reader, object? genericContext, TypeSpecificationHandle handle, byte rawTypeKind)
        => reader.GetTypeSpecification(handle).DecodeSignature(this, genericContext);

    public ImmutableHashSet<string> GetGenericInstantiation(ImmutableHashSet<string> genericType, ImmutableArray<ImmutableHashSet<string>> typeArguments)
        => typeArguments.Aggregate(genericType, (all, argument) => all.Union(argument));

    public ImmutableHashSet<string> GetFunctionPointerType(MethodSignature<ImmutableHashSet<string>> signature)
        => signature.ParameterTypes.Aggregate(signature.ReturnType, (all, parameter) => all.Union(parameter));

    public ImmutableHashSet<string> GetModifiedType(ImmutableHashSet<string> modifier, ImmutableHashSet<string> unmodifiedType, bool isRequired) => unmodifiedType;

    public ImmutableHashSet<string> GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind) => [Of(handle)];

    public ImmutableHashSet<string> GetPrimitiveType(PrimitiveTypeCode typeCode) => [];

    public ImmutableHashSet<string> GetGenericMethodParameter(object? genericContext, int index) => [];

    public ImmutableHashSet<string> GetGenericTypeParameter(object? genericContext, int index) => [];

    public ImmutableHashSet<string> GetArrayType(ImmutableHashSet<string> elementType, ArrayShape shape) => elementType;

    public ImmutableHashSet<string> GetSZArrayType(ImmutableHashSet<string> elementType) => elementType;

    public ImmutableHashSet<string> GetByReferenceType(ImmutableHashSet<string> elementType) => elementType;

    public ImmutableHashSet<string> GetPointerType(ImmutableHashSet<string> elementType) => elementType;

    public ImmutableHashSet<string> GetPinnedType(ImmutableHashSet<string> elementType) => elementType;

    private ImmutableHashSet<string> OfToken(EntityHandle handle) => handle.Kind switch
    {
        HandleKind.TypeDefinition => [Of((TypeDefinitionHandle)handle)],
        HandleKind.TypeReference => [Of((TypeReferenceHandle)handle)],
        HandleKind.TypeSpecification => reader.GetTypeSpecification((TypeSpecificationHandle)handle).DecodeSignature(this, null),
        HandleKind.MethodDefinition => [Of(reader.GetMethodDefinition((MethodDefinitionHandle)handle).GetDeclaringType())],
        HandleKind.FieldDefinition => [Of(reader.GetFieldDefinition((FieldDefinitionHandle)handle).GetDeclaringType())],
        HandleKind.MemberReference => OfToken(reader.GetMemberReference((MemberReferenceHandle)handle).Parent),
        HandleKind.MethodSpecification => reader.GetMethodSpecification((MethodSpecificationHandle)handle).DecodeSignature(this, null)
            .Aggregate(OfToken(reader.GetMethodSpecification((MethodSpecificationHandle)handle).Method), (all, argument) => all.Union(argument)),
        _ => [],
    };
}
