/** The messages of TRON that the node speaks, in the notation of Protocol Buffers: names, numbers and types of their fields. */
import protobuf from 'protobufjs'

const text = `
syntax = "proto3";
package protocol;

message Any { string type_url = 1; bytes value = 2; }

message Transaction {
  enum ContractType {
    AccountCreateContract = 0;
    TransferContract = 1;
    CreateSmartContract = 30;
    TriggerSmartContract = 31;
    AccountPermissionUpdateContract = 46;
  }
  message Contract {
    ContractType type = 1;
    Any parameter = 2;
    bytes provider = 3;
    bytes ContractName = 4;
    int32 Permission_id = 5;
  }
  message raw {
    bytes ref_block_bytes = 1;
    int64 ref_block_num = 3;
    bytes ref_block_hash = 4;
    int64 expiration = 8;
    bytes data = 10;
    repeated Contract contract = 11;
    bytes scripts = 12;
    int64 timestamp = 14;
    int64 fee_limit = 18;
  }
}

message Envelope { bytes raw_data = 1; repeated bytes signature = 2; }

message TransferContract { bytes owner_address = 1; bytes to_address = 2; int64 amount = 3; }

message TriggerSmartContract {
  bytes owner_address = 1;
  bytes contract_address = 2;
  int64 call_value = 3;
  bytes data = 4;
  int64 call_token_value = 5;
  int64 token_id = 6;
}

message SmartContract {
  message ABI {
    message Entry {
      enum EntryType { UnknownEntryType = 0; Constructor = 1; Function = 2; Event = 3; Fallback = 4; Receive = 5; Error = 6; }
      enum StateMutabilityType { UnknownMutabilityType = 0; Pure = 1; View = 2; Nonpayable = 3; Payable = 4; }
      message Param { bool indexed = 1; string name = 2; string type = 3; }
      bool anonymous = 1;
      bool constant = 2;
      string name = 3;
      repeated Param inputs = 4;
      repeated Param outputs = 5;
      EntryType type = 6;
      bool payable = 7;
      StateMutabilityType stateMutability = 8;
    }
    repeated Entry entrys = 1;
  }
  bytes origin_address = 1;
  bytes contract_address = 2;
  ABI abi = 3;
  bytes bytecode = 4;
  int64 call_value = 5;
  int64 consume_user_resource_percent = 6;
  string name = 7;
  int64 origin_energy_limit = 8;
  bytes code_hash = 9;
  bytes trx_hash = 10;
  int32 version = 11;
}

message CreateSmartContract { bytes owner_address = 1; SmartContract new_contract = 2; int64 call_token_value = 3; int64 token_id = 4; }

message Key { bytes address = 1; int64 weight = 2; }

message Permission {
  enum PermissionType { Owner = 0; Witness = 1; Active = 2; }
  PermissionType type = 1;
  int32 id = 2;
  string permission_name = 3;
  int64 threshold = 4;
  int32 parent_id = 5;
  bytes operations = 6;
  repeated Key keys = 7;
}

message AccountPermissionUpdateContract {
  bytes owner_address = 1;
  Permission owner = 2;
  Permission witness = 3;
  repeated Permission actives = 4;
}

message BlockHeader {
  int64 timestamp = 1;
  bytes txTrieRoot = 2;
  bytes parentHash = 3;
  int64 number = 7;
  bytes witness_address = 9;
  int32 version = 10;
}
`

const { root } = protobuf.parse(text, { keepCase: true })
root.resolveAll()

/** throws  Error for an unknown name */
export function typeOf(name: string): protobuf.Type {
  return root.lookupType(`protocol.${name}`)
}

/** Number of a contract's type, as the bits of a permission count them. */
export function contractNumber(name: string): number | undefined {
  return root.lookupEnum('protocol.Transaction.ContractType').values[name]
}
